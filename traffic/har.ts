import { z } from 'zod';

// The part of HAR 1.2 that is needed. It is lenient, because every browser and proxy leaves out something else.

const text = z.string().catch('');
const number = z.number().catch(-1);
const headers = z.array(z.object({ name: text, value: text })).catch([]);

export const harEntrySchema = z.object({
  startedDateTime: text,
  time: number,
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers,
    bodySize: number,
    postData: z
      .object({ text: z.string().optional().catch(undefined), encoding: text, comment: text })
      .optional()
      .catch(undefined),
  }),
  response: z.object({
    status: number,
    headers,
    content: z
      .object({
        size: number,
        compression: z.number().catch(0),
        text: z.string().optional().catch(undefined),
        encoding: text,
        comment: text,
      })
      .catch({ size: -1, compression: 0, encoding: '', comment: '' }),
    /** Of Chrome: a service worker answered, which may have invented the answer. */
    _fetchedViaServiceWorker: z.boolean().catch(false),
  }),
  /** Of Chrome: the answer came from the memory or the disk of the browser. */
  _fromCache: text,
});

export type HarEntry = z.infer<typeof harEntrySchema>;

/** The file is not a HAR that can be judged. The message says why, and what to do. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

/** The largest size of a HAR in bytes, and the most entries. */
export const maxHarBytes = 256 * 1024 * 1024;
const maxEntries = 200_000;

const harSchema = z.object({ log: z.object({ entries: z.array(z.unknown()) }) });

/** The entries of a HAR, and the number of invalid ones. Throws HarError. */
export function readHar(bytes: Uint8Array): { readonly entries: readonly HarEntry[]; readonly malformed: number } {
  const parsed = harSchema.safeParse(parseText(bytes));
  if (!parsed.success) throw new HarError('is no HAR: it has no log.entries. Export one from a browser or a proxy.');
  const raw = parsed.data.log.entries;
  if (raw.length > maxEntries) {
    throw new HarError(`has ${raw.length} entries, and at most ${maxEntries} are read: split it.`);
  }
  const entries = raw.flatMap((entry) => harEntrySchema.safeParse(entry).data ?? []);
  return { entries, malformed: raw.length - entries.length };
}

function parseText(bytes: Uint8Array): unknown {
  try {
    // Some proxies write a byte order mark, which is not part of JSON.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'no JSON, or only the beginning of one' : 'not UTF-8';
    throw new HarError(`is no HAR: it is ${why}. Export it again.`);
  }
}
