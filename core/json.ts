import { leastSharedBytes, withSharedRecords } from './shared-records.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type Parsed = { readonly value: unknown; readonly problem: string | undefined };

/** Parsing a shorter body again is faster than finding it in the cache. */
const leastKnown = 512;

/** The maximum nesting of arrays and objects. RFC 8259 (section 9) lets a parser limit it. */
const deepest = 10_000;

/** A body of up to this many bytes may nest without limit, because it costs little. */
const longestUnseen = 262_144;

/** Parsed long bodies. An in-process deployment answers with the same body many times. */
const known = new WeakMap<Uint8Array, Parsed>();

/** The latest shorter body: where the traffic of a run is recorded, each answer is read twice. */
let latest: { readonly body: Uint8Array; readonly parsed: Parsed } | undefined;

/** Parses a body as JSON in UTF-8. An empty body has neither value nor problem. */
export function parseJson(body: Uint8Array): Parsed {
  if (body.length < leastKnown) {
    if (latest?.body !== body) latest = { body, parsed: parse(body) };
    return latest.parsed;
  }
  const before = known.get(body);
  if (before !== undefined) return before;
  const parsed = shareRecords(parse(body), body);
  known.set(body, parsed);
  return parsed;
}

/** Records of long bodies take much memory. */
function shareRecords(parsed: Parsed, body: Uint8Array): Parsed {
  return body.length < leastSharedBytes ? parsed : { ...parsed, value: withSharedRecords(parsed.value) };
}

function parse(body: Uint8Array): Parsed {
  if (body.length === 0) return { value: undefined, problem: undefined };
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return { value: undefined, problem: 'the body is not valid UTF-8' };
  }
  if (text.startsWith('\u{feff}')) return { value: undefined, problem: 'the body begins with a byte order mark' };
  if (body.length > longestUnseen && isDeep(body)) {
    return { value: undefined, problem: `the body nests deeper than ${deepest} levels` };
  }
  try {
    return { value: JSON.parse(text), problem: undefined };
  } catch (error) {
    return { value: undefined, problem: `the body is not JSON: ${error instanceof Error ? error.message : 'unknown'}` };
  }
}

/** A text as JSON; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether arrays and objects nest deeper than {@link deepest}. Each parsed level costs a hundred times its byte. */
function isDeep(body: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (isText) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) isText = false;
    } else if (byte === 0x22) isText = true;
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
}

/** The value at a path of names and indices; undefined if there is none. Own properties only. */
export function at(value: unknown, ...path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = Reflect.get(here, step);
  }
  return here;
}

/** The string at a path; undefined if there is none. */
export function stringAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The first name that appears twice in one object of a JSON text, in its quotes. The caller bounds the text. */
export function duplicateName(text: string): string | undefined {
  const scopes: (Set<string> | undefined)[] = []; // undefined for an array
  for (let place = 0; place < text.length; place += 1) {
    switch (text[place]) {
      case '{':
        scopes.push(new Set());
        break;
      case '[':
        scopes.push(undefined);
        break;
      case '}':
      case ']':
        scopes.pop();
        break;
      case '"': {
        const end = endOfString(text, place);
        const scope = isBeforeColon(text, end) ? scopes.at(-1) : undefined;
        const name = text.slice(place, end);
        if (scope?.has(name)) return name;
        scope?.add(name);
        place = end - 1;
        break;
      }
      default:
    }
  }
  return undefined;
}

/** The place after the string that begins at `start` in a JSON text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

export function isBeforeColon(text: string, start: number): boolean {
  let place = start;
  while (text[place] === ' ' || text[place] === '\n' || text[place] === '\r' || text[place] === '\t') place += 1;
  return text[place] === ':';
}
