import type { Secret } from '../../core/target.ts';
import { candidateKeyHeaders } from '../../core/headers/key-headers.ts';
import { at, legible, type PartProblem } from '../schema-problems.ts';
import type { TargetFile } from '../target-schema.ts';
import type { Path, ReadIn } from '../target-yaml.ts';

/** A shorter text cannot be removed from reports: it would be found in other words. In characters. */
export const leastSecret = 8;

const maxHeaders = 32;
const maxValueLength = 4096;

/** Headers that the suite or HTTP sets, with the reason why a target file cannot. */
const taken: ReadonlyMap<string, string> = new Map([
  ['authorization', 'carries the API key of the principal; a gateway needs a header of its own'],
  ['proxy-authorization', 'is for a proxy'],
  ...reasoned('belongs to a single connection', 'connection keep-alive proxy-connection proxy-authenticate te trailer'),
  ...reasoned('belongs to a single connection', 'transfer-encoding upgrade http2-settings'),
  ...reasoned('is set by the suite', 'accept accept-encoding content-type content-encoding content-length date expect'),
  ...reasoned('is set by the suite', 'host user-agent traceparent tracestate'),
]);

function reasoned(reason: string, names: string): readonly (readonly [string, string])[] {
  return names.split(' ').map((name) => [name, reason]);
}

/** Why a header cannot be sent for another purpose; undefined if it can. */
export function whyTaken(header: string): string | undefined {
  return taken.get(header.toLowerCase());
}

export function isHeaderName(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text);
}

/** Problems with the headers of a target file. */
export function headerProblems(file: TargetFile, readIn: ReadIn): readonly PartProblem[] {
  const declared = file.choices?.idempotencyHeader?.toLowerCase();
  const keyHeaders: readonly string[] = declared === undefined ? candidateKeyHeaders : [declared];
  const maps: readonly (readonly [Path, TargetFile['headers']])[] = [
    [['headers'], file.headers],
    ...Object.entries(file.principals).map(
      ([name, { headers }]) => [['principals', name, 'headers'], headers] as const,
    ),
  ];
  return maps.flatMap(([path, headers = {}]) => [
    ...(Object.keys(headers).length > maxHeaders ? [at(path, `holds over ${maxHeaders} headers; remove some`)] : []),
    ...Object.entries(headers).flatMap(([name, value], index) => {
      const place = [...path, name];
      const earlier = Object.keys(headers).slice(0, index);
      const why = nameProblem(name, keyHeaders, earlier);
      if (why !== undefined) return [at(place, why, 'key')];
      return [...valueProblems(value), ...secretProblems(readIn(place) ?? [])].map((message) => at(place, message));
    }),
  ]);
}

function nameProblem(name: string, keyHeaders: readonly string[], earlier: readonly string[]): string | undefined {
  if (!isHeaderName(name)) return 'is not a header name; use up to 100 letters, digits and "-", such as X-Gateway-Key';
  const lower = name.toLowerCase();
  const why = keyHeaders.includes(lower) ? 'carries idempotency keys' : whyTaken(name);
  if (why !== undefined) return `cannot be set here, because ${legible(name)} ${why}; remove it`;
  if (earlier.some((other) => other.toLowerCase() === lower)) return 'appears twice in this map; remove one';
  return undefined;
}

function valueProblems(value: string): readonly string[] {
  if (value.length > maxValueLength) return [`is over ${maxValueLength} characters long; shorten it`];
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    return ['cannot be sent in a header; use Latin-1 characters without line breaks and control characters'];
  }
  return value === value.trim() ? [] : ['begins or ends with a space, which HTTP removes; remove it'];
}

function secretProblems(read: readonly Secret[]): readonly string[] {
  return read
    .filter(({ key }) => key.length < leastSecret)
    .map(
      ({ variable }) =>
        `takes ${variable} from the environment, so reports must not show it, but it has under ${leastSecret} characters, ` +
        'which cannot be removed from reports reliably; use a longer secret, or write the value here if it is none',
    );
}
