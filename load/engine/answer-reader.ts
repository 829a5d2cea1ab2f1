import { maxBodyBytes, type TransportFailure } from '../../core/http.ts';
import { type Framing, framingOf } from './framing.ts';
import { createKeptBodies, type KeptBody, pieceCostBytes } from './kept-bodies.ts';

/** A complete answer. `body` is in the pieces in which it arrived, still in its content coding. */
export type Answer = {
  readonly status: number;
  /** The status line and the headers, as received. */
  readonly head: string;
  readonly body: readonly Uint8Array[];
  /** Whether there was no room for the body, so that it is not known. */
  readonly isUnkept?: boolean;
  /** For how long the connection may be used again, in milliseconds; 0 if it may not. */
  readonly keepMs: number;
};

/** Reads the answers that come on one connection, one after another. */
export type AnswerReader = {
  /** Takes received bytes and copies what it keeps. Undefined while the answer is not complete. */
  readonly take: (bytes: Buffer) => Answer | TransportFailure | undefined;
  /** The result when the connection has ended, cleanly or not. */
  readonly end: (isClean: boolean) => Answer | TransportFailure;
};

/** What is expected next, and for some parts how many bytes are left. */
type Place =
  | { readonly kind: 'head' | 'chunkSize' | 'chunkEnd' | 'trailers' | 'untilEnd' | 'nothing' }
  | { readonly kind: 'sized' | 'chunk'; left: number };

/** A head that was understood. */
type Head = { readonly text: string; readonly status: number; readonly framing: Framing };

type Reading = { place: Place; head: Head | undefined; readonly body: KeptBody; bodyBytes: number };

const maxHeadBytes = 64 * 1024;
const maxLineBytes = 1024;

const none = Buffer.alloc(0);
const atHead: Place = { kind: 'head' };
const atEnd: Place = { kind: 'nothing' };
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)[ \r]/;

/**
 * Parses as much of HTTP/1.1 as is needed to find the end of an answer. It is strict: whatever could be read in two ways
 * is malformed. It takes a third of the time of a full parser, which leaves more time for the load.
 */
export function createAnswerReader(bodies = createKeptBodies()): AnswerReader {
  const reading: Reading = { place: atHead, head: undefined, body: bodies.begin(), bodyBytes: 0 };
  let held = none; // the beginning of a head or of a line whose end has not arrived

  function complete(bytesBehind: number): Answer {
    const { head } = reading;
    if (head === undefined) throw new Error('an answer without a head');
    const body = reading.body.end();
    reading.place = atHead;
    reading.bodyBytes = 0;
    // Bytes after an answer belong to no request, so the connection cannot be used again.
    const keepMs = bytesBehind > 0 ? 0 : head.framing.keepMs;
    return { status: head.status, head: head.text, body: body ?? [], isUnkept: body === undefined, keepMs };
  }

  return {
    take(bytes) {
      let rest = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      held = none;
      while (rest.length > 0) {
        const used = step(reading, rest);
        if (typeof used === 'string') return used;
        if (used === 0) held = Buffer.from(rest);
        rest = used === 0 ? none : rest.subarray(used);
        if (reading.place.kind === 'nothing') return complete(rest.length);
      }
      return undefined;
    },
    end(isClean) {
      if (reading.place.kind === 'untilEnd' && isClean) return complete(0);
      reading.body.end();
      return reading.place.kind === 'head' && held.length === 0 ? 'reset' : 'truncated';
    },
  };
}

/** Reads one element from the beginning of `rest` and returns its length in bytes; 0 if it is incomplete. */
function step(reading: Reading, rest: Buffer): number | TransportFailure {
  const { place } = reading;
  switch (place.kind) {
    case 'head':
      return takeHead(reading, rest);
    case 'sized':
    case 'chunk': {
      const length = Math.min(place.left, rest.length);
      place.left -= length;
      if (place.left === 0) reading.place = place.kind === 'chunk' ? { kind: 'chunkEnd' } : atEnd;
      return keep(reading, length === rest.length ? rest : rest.subarray(0, length));
    }
    case 'untilEnd':
      return keep(reading, rest);
    case 'chunkSize':
    case 'chunkEnd':
    case 'trailers':
      return takeLine(reading, place.kind, rest);
    case 'nothing':
      return 0;
  }
}

function takeHead(reading: Reading, rest: Buffer): number | TransportFailure {
  if (reading.head !== undefined && isSame(rest, reading.head.text)) {
    reading.place = placeAfterHead(reading.head.framing);
    return reading.head.text.length;
  }
  const end = rest.indexOf('\r\n\r\n');
  if (end > maxHeadBytes || (end < 0 && rest.length > maxHeadBytes)) return 'too-large';
  if (end < 0) return mayBecomeHead(rest) ? 0 : 'malformed';
  const text = rest.toString('latin1', 0, end + 4);
  const [, minor, code] = statusLine.exec(text) ?? [];
  const framing = code === undefined ? undefined : framingOf(text, Number(code), minor === '1');
  if (framing === undefined) return 'malformed';
  reading.head = { text, status: Number(code), framing };
  reading.place = placeAfterHead(framing);
  return end + 4;
}

/** Whether the bytes begin with the head of the answer before. Most heads do, and need not be understood again. */
function isSame(rest: Buffer, head: string): boolean {
  return rest.length >= head.length && rest.toString('latin1', 0, head.length) === head;
}

function mayBecomeHead(rest: Buffer): boolean {
  return 'HTTP/1.'.startsWith(rest.toString('latin1', 0, 7)) && !rest.includes('\n\n');
}

function placeAfterHead({ body }: Framing): Place {
  switch (body.kind) {
    case 'interim':
      return atHead;
    case 'none':
      return atEnd;
    case 'chunked':
      return { kind: 'chunkSize' };
    case 'untilEnd':
      return { kind: 'untilEnd' };
    case 'sized':
      return body.length === 0 ? atEnd : { kind: 'sized', left: body.length };
  }
}

function keep(reading: Reading, piece: Buffer): number | TransportFailure {
  reading.bodyBytes += piece.length + pieceCostBytes;
  if (reading.bodyBytes > maxBodyBytes) return 'too-large';
  reading.body.add(piece, reading.place === atEnd && reading.bodyBytes === piece.length + pieceCostBytes);
  return piece.length;
}

function takeLine(
  reading: Reading,
  kind: 'chunkSize' | 'chunkEnd' | 'trailers',
  rest: Buffer,
): number | TransportFailure {
  const end = rest.indexOf('\r\n');
  if (end > maxLineBytes || (end < 0 && rest.length > maxLineBytes)) return 'truncated';
  if (end < 0) return 0;
  switch (kind) {
    case 'chunkEnd':
      if (end > 0) return 'truncated';
      reading.place = { kind: 'chunkSize' };
      break;
    case 'chunkSize': {
      const [, size] = /^([\da-f]{1,8})[ \t]*(?:;|$)/i.exec(rest.toString('latin1', 0, end)) ?? [];
      if (size === undefined) return 'truncated';
      const left = Number.parseInt(size, 16);
      reading.place = left === 0 ? { kind: 'trailers' } : { kind: 'chunk', left };
      break;
    }
    case 'trailers':
      if (end === 0) reading.place = atEnd;
      break;
  }
  return end + 2;
}
