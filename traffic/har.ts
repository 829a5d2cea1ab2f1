import { z } from 'zod';

// HAR 1.2 as far as it is needed, and forgiving: browsers and proxies each leave out something else.

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
    /** Chrome's: answered by a service worker, which may have made it up. */
    _fetchedViaServiceWorker: z.boolean().catch(false),
  }),
  /** Chrome's: answered from the memory or the disk of the browser. */
  _fromCache: text,
});

export type HarEntry = z.infer<typeof harEntrySchema>;

/** The file is no HAR that can be judged; the message says why and what to do. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

/** What a HAR may weigh, in bytes, and hold, in entries. */
export const maxHarBytes = 256 * 1024 * 1024;
const maxEntries = 200_000;

const harSchema = z.object({ log: z.object({ entries: z.array(z.unknown()) }) });

/** The entries of a HAR; how many of them are no entries at all. Throws HarError. */
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
    // A byte order mark, which some proxies write, is not JSON's.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'no JSON, or only the beginning of one' : 'not UTF-8';
    throw new HarError(`is no HAR: it is ${why}. Export it again.`);
  }
}
