import { type HarEntry, HarError, readHar } from './har.ts';
import { createKeyring } from './keyring.ts';
import type { Principal } from '../core/target.ts';
import { type LeftOut, type Recorded, recordedReader } from './recorded.ts';
import { baseOf, normalBase } from './target-at.ts';

export type TrafficOptions = {
  /** The base URL of the API; undefined for the only one in the recording. */
  readonly baseUrl: string | undefined;
  /** The name of the idempotency header in lower case, if it is known. */
  readonly keyHeader: string | undefined;
};

/** The traffic of the API in a recording. */
export type Traffic = {
  readonly baseUrl: string;
  /** In the order in which they were sent. */
  readonly recorded: readonly Recorded[];
  /** A principal for each key in the recording. */
  readonly principals: readonly Principal[];
  readonly entries: number;
  /** How many entries are not judged, by reason. */
  readonly leftOut: ReadonlyMap<LeftOut | 'malformed', number>;
};

/** Reads the bytes of a HAR. Throws HarError with the remedy if they are not a HAR, or if the API to judge is ambiguous. */
export function readTraffic(bytes: Uint8Array, { baseUrl, keyHeader }: TrafficOptions): Traffic {
  const { entries, malformed } = readHar(bytes);
  const base = baseUrl === undefined ? onlyBase(entries) : givenBase(baseUrl);
  const keyring = createKeyring();
  const read = recordedReader(base, keyring, keyHeader);
  const leftOut = new Map<LeftOut | 'malformed', number>(malformed === 0 ? [] : [['malformed', malformed]]);
  const recorded: Recorded[] = [];
  for (const entry of entries) {
    const found = read(entry);
    if (typeof found === 'string') leftOut.set(found, (leftOut.get(found) ?? 0) + 1);
    else recorded.push(found);
  }
  recorded.sort((one, other) => one.exchange.sentAt - other.exchange.sentAt);
  const principals = keyring.principals();
  return { baseUrl: base, recorded, principals, entries: entries.length + malformed, leftOut };
}

function givenBase(baseUrl: string): string {
  const base = normalBase(baseUrl);
  if (base === undefined) throw new HarError(`cannot be read for ${baseUrl}: that is no http or https address.`);
  return base;
}

/** The most base URLs to name if there are several. */
const maxNamed = 5;

function onlyBase(entries: readonly HarEntry[]): string {
  const bases = [...new Set(entries.flatMap(({ request }) => baseOf(request.url) ?? []))];
  const [base, ...more] = bases;
  if (base === undefined)
    throw new HarError('holds no request that looks like one of the API: name it with --base-url.');
  if (more.length === 0) return base;
  const named = bases.slice(0, maxNamed).join(', ');
  throw new HarError(`holds requests to several APIs: choose one with --base-url. There are: ${named}.`);
}
