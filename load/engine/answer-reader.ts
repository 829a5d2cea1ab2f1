import { maxBodyBytes, type TransportFailure } from '../../core/http.ts';
import { type Framing, framingOf } from './framing.ts';
import { bodyOf, createKeptBodies, type KeptBody, pieceCostBytes } from './kept-bodies.ts';

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

type Reading = { place: Place; status: number; head: string; keepMs: number; body: KeptBody; bodyBytes: number };

const maxHeadBytes = 64 * 1024;
const maxLineBytes = 1024;

const none = Buffer.alloc(0);
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)[ \r]/;

/**
 * Parses as much of HTTP/1.1 as is needed to find the end of an answer. It is strict: whatever could be read in two ways
 * is malformed. It takes a third of the time of a full parser, which leaves more time for the load.
 */
export function createAnswerReader(bodies = createKeptBodies()): AnswerReader {
  let reading = begin();
  let held = none; // the beginning of a head or of a line whose end has not arrived

  function begin(): Reading {
    return { place: { kind: 'head' }, status: 0, head: '', keepMs: 0, body: bodies.begin(), bodyBytes: 0 };
  }

  function complete({ status, head, body, keepMs }: Reading, bytesBehind: number): Answer {
    const kept = bodyOf(body);
    reading = begin();
    // Bytes after an answer belong to no request, so the connection cannot be used again.
    return { status, head, ...kept, keepMs: bytesBehind > 0 ? 0 : keepMs };
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
        if (reading.place.kind === 'nothing') return complete(reading, rest.length);
      }
      return undefined;
    },
    end(isClean) {
      if (reading.place.kind === 'untilEnd' && isClean) return complete(reading, 0);
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
      if (place.left === 0) reading.place = { kind: place.kind === 'chunk' ? 'chunkEnd' : 'nothing' };
      return keep(reading, rest.subarray(0, length));
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
  const end = rest.indexOf('\r\n\r\n');
  if (end > maxHeadBytes || (end < 0 && rest.length > maxHeadBytes)) return 'too-large';
  if (end < 0) return mayBecomeHead(rest) ? 0 : 'malformed';
  const head = rest.toString('latin1', 0, end + 2);
  const [, minor, code] = statusLine.exec(head) ?? [];
  const framing = code === undefined ? undefined : framingOf(head, Number(code), minor === '1');
  if (framing === undefined) return 'malformed';
  reading.head = head;
  reading.status = Number(code);
  reading.keepMs = framing.keepMs;
  reading.place = placeAfterHead(framing);
  return end + 4;
}

function mayBecomeHead(rest: Buffer): boolean {
  return 'HTTP/1.'.startsWith(rest.toString('latin1', 0, 7)) && !rest.includes('\n\n');
}

function placeAfterHead({ body }: Framing): Place {
  switch (body.kind) {
    case 'interim':
      return { kind: 'head' };
    case 'none':
      return { kind: 'nothing' };
    case 'chunked':
      return { kind: 'chunkSize' };
    case 'untilEnd':
      return { kind: 'untilEnd' };
    case 'sized':
      return body.length === 0 ? { kind: 'nothing' } : { kind: 'sized', left: body.length };
  }
}

function keep(reading: Reading, piece: Buffer): number | TransportFailure {
  reading.bodyBytes += piece.length + pieceCostBytes;
  if (reading.bodyBytes > maxBodyBytes) return 'too-large';
  reading.body.add(piece);
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
      if (end === 0) reading.place = { kind: 'nothing' };
      break;
  }
  return end + 2;
}
