import { type Answer, answerOf, type Exchange } from '../core/exchange.ts';
import { type RouteMatch, routeOf } from '../core/route.ts';
import { routes } from '../spec/routes.ts';
import type { HarEntry } from './har.ts';
import type { Keyring, Sender } from './keyring.ts';
import { isRefusedOnTheWay } from './refused-on-the-way.ts';
import { targetAt } from './target-at.ts';

/** A request to one of the six operations and its answer, without what the recording may have changed. */
export type Recorded = {
  readonly route: RouteMatch;
  readonly sender: Sender;
  /** Its body is empty if it was not surely kept. */
  readonly exchange: Exchange;
  readonly answer: Answer;
  /** Whether the body of the answer is the one that was received. */
  readonly isWhole: boolean;
  /** Whether the body of the request is the one that was sent, if it needs one. */
  readonly isAskedWhole: boolean;
  /** Whether it is known when it was sent and answered. */
  readonly isTimed: boolean;
};

/** Why an entry is not judged. */
export type LeftOut =
  | 'elsewhere'
  | 'another operation'
  | 'asked otherwise'
  | 'no answer'
  | 'from a cache'
  | 'from a gateway';

/** The headers that are kept. All others, such as cookies, may be private. */
const keptHeaders: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'retry-after', 'accept']);

/** What a recorder took for the time of an aborted request is not believed, in milliseconds. */
const longestMs = 24 * 3600 * 1000;

/** The latest time of a recording: the year 2200, in milliseconds since the epoch. */
const latestMs = Date.UTC(2200);

/** Reads entries of the API at a base URL. `keyHeader` is the idempotency header's name in lower case, where it is known. */
export function recordedReader(base: string, keyring: Keyring, keyHeader: string | undefined) {
  const ofRequest = new Set([...keptHeaders, ...(keyHeader === undefined ? [] : [keyHeader])]);

  function read(entry: HarEntry): Recorded | LeftOut {
    const { request, response, startedDateTime, time } = entry;
    const target = targetAt(base, request.url);
    if (target === undefined) return 'elsewhere';
    const route = routeOf(request.method, target);
    if (route === undefined) return 'another operation';
    if (route.hasOthers || !wantsJson(headerIn(request.headers, 'accept'))) return 'asked otherwise';
    if (!Number.isInteger(response.status) || response.status < 200 || response.status > 599) return 'no answer';
    const isCached = response.status === 304 || entry._fromCache !== '' || response._fetchedViaServiceWorker;
    if (isCached) return 'from a cache';

    const asked = bodyOfRequest(entry);
    const body = bodyOfResponse(entry);
    const sender = keyring.senderOf(headerIn(request.headers, 'authorization'));
    const startedAt = Date.parse(startedDateTime);
    const isDated = startedAt >= 0 && startedAt < latestMs;
    const isTimed = isDated && time >= 0 && time <= longestMs;
    const sentAt = isDated ? startedAt : 0;
    const headers = {
      ...headersOf(request.headers, ofRequest),
      ...(sender.authorization === undefined ? {} : { authorization: sender.authorization }),
    };
    const exchange: Exchange = {
      operation: route.operation,
      caller: sender.name,
      request: {
        method: routes[route.operation].method,
        path: knownPath(target, route),
        headers,
        ...(asked === undefined ? {} : { body: asked }),
        timeoutMs: 0,
      },
      sentAt,
      receivedAt: sentAt + (isTimed ? time : 0),
      outcome: {
        kind: 'answered',
        response: {
          status: response.status,
          headers: headersOf(response.headers, keptHeaders),
          body: body ?? new Uint8Array(),
        },
      },
    };
    const answer = answerOf(exchange);
    if (answer === undefined) return 'no answer';
    if (isRefusedOnTheWay(route, answer)) return 'from a gateway';
    const isAskedWhole = request.method !== 'POST' || asked !== undefined;
    return { route, sender, exchange, answer, isWhole: body !== undefined, isAskedWhole, isTimed };
  }

  return read;
}

/** The path with only the parameters that the specification knows. Others may be secret. */
function knownPath(target: string, { query }: RouteMatch): string {
  const known = [...query].flatMap(([name, all]) => all.map((value): [string, string] => [name, value]));
  const [path = ''] = target.split(/[?#]/, 1);
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known).toString()}`;
}

function bodyOfRequest({ request: { postData, bodySize } }: HarEntry): string | undefined {
  if (postData === undefined) return undefined;
  const bytes = recordedBody({ ...postData, text: postData.text, sizes: [bodySize] });
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}

/** Recorders count the decoded body, or the encoded body and what its coding saved. */
function bodyOfResponse({ response: { status, headers, content } }: HarEntry): Uint8Array | undefined {
  const { size, compression, text = '' } = content;
  // Only these two say that there was none: recorders also leave out what they did not keep. A redirect may come from a router.
  const isRedirect = status >= 300 && status < 400;
  const hadNone = status === 204 || (!isRedirect && headerIn(headers, 'content-length')?.trim() === '0');
  if (hadNone && text === '') return new Uint8Array();
  return recordedBody({ ...content, text: content.text, sizes: size < 0 ? [] : [size, size + compression] });
}

/** The specification does not cover requests for an event stream or a table. */
function wantsJson(accept: string | undefined): boolean {
  return accept === undefined || accept.trim() === '' || /json|\*\/\*|application\/\*/i.test(accept);
}

type Headers = readonly { readonly name: string; readonly value: string }[];

function headerIn(headers: Headers, name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}

function headersOf(headers: Headers, kept: ReadonlySet<string>): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const { name, value } of headers) {
    const lower = name.toLowerCase();
    if (!kept.has(lower)) continue;
    const before = found.get(lower);
    found.set(lower, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}

/** A body as a recorder kept it. */
type Kept = {
  readonly text: string | undefined;
  readonly encoding: string;
  readonly comment: string;
  /** Its length in bytes, in each of the ways in which recorders count; negative if the recorder gives none. */
  readonly sizes: readonly number[];
};

/** Marks that recorders and people put in place of removed text. */
const redaction = /redact|\[filtered\]|\[masked\]|\[removed\]|\*{4,}|x{8,}|•{3,}|█|\$AWC_KEY_/i;

/**
 * The bytes of a body that was surely recorded whole and unchanged; undefined for any other. An absent text shows nothing, because
 * recorders leave out what they did not keep. A wrong length shows that something was cut or replaced.
 */
function recordedBody({ text, encoding, comment, sizes }: Kept): Uint8Array | undefined {
  if (text === undefined || text === '' || /beginning|truncat|\\xNN/i.test(comment)) return undefined;
  const bytes = bytesOf(text, encoding.toLowerCase());
  if (bytes === undefined) return undefined;
  const said = sizes.filter((size) => size > 0);
  if (said.length > 0 && !said.includes(bytes.length)) return undefined;
  // Base64 hides a redaction mark, and redacting it breaks the encoding.
  const plain = Buffer.from(bytes).toString('utf8');
  return redaction.test(plain) || plain.includes('\u{fffd}') ? undefined : bytes;
}

function bytesOf(text: string, encoding: string): Uint8Array | undefined {
  if (encoding === '') return text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined;
  if (encoding !== 'base64') return undefined;
  const compact = text.replace(/\s/g, '');
  const isBase64 = compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact);
  return isBase64 ? Buffer.from(compact, 'base64') : undefined;
}
