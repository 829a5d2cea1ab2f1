import type { Socket } from 'node:net';
import { type ConnectionTimes, timesOf } from '../../core/network/connection-times.ts';
import type { Dialer } from '../../core/network/dial.ts';
import type { HttpRequest, Trace, TransportFailure } from '../../core/http.ts';
import type { KeptBodies } from './kept-bodies.ts';
import { connectionPhases, type Phases } from '../measure/phases.ts';
import { type Answer, type AnswerReader, createAnswerReader } from './answer-reader.ts';

/** A connection to one origin, with one request at a time. It is opened when needed, and reopened. Instants are of `performance.now()`. */
export type Connection = {
  /** `done` is called once, later, unless the connection is dropped before. */
  readonly send: (request: HttpRequest, trace: Trace, sentAt: number, done: Done) => void;
  /** Closes the connection at once and forgets the request under way. The next request opens a new one. */
  readonly drop: () => void;
};

type Done = (result: Answer | TransportFailure, endedAt: number, phases?: Phases) => void;

type Line = {
  readonly socket: Socket;
  readonly reader: AnswerReader;
  readonly times: ConnectionTimes;
};

/** What connections need to read answers. `readableAt` is when the socket that is being read was readable at the latest, after it sent. */
export type Reading = {
  readonly connectTimeoutMs: number;
  readonly bodies: KeptBodies;
  readonly readableAt: (sentAt: number) => number;
};

/** All connections read into the same buffer: each takes its bytes out before the next one reads. */
const readInto = Buffer.allocUnsafe(64 * 1024);

export function createConnection(
  { dial, made: madeEvent }: Dialer,
  bytesOf: (request: HttpRequest, trace: Trace) => string,
  { connectTimeoutMs, bodies, readableAt }: Reading,
): Connection {
  let line: Line | undefined;
  let done: Done | undefined;
  let freshUntil = 0;
  let sentAt = 0;
  let firstByteAt = 0; // before `sentAt` until the first byte comes

  function open(dialedAt: number): Line {
    const callback = (count: number, buffer: Uint8Array) => {
      heard(made, Buffer.from(buffer.buffer, buffer.byteOffset, count));
      return true;
    };
    const socket = dial({ onread: { buffer: readInto, callback } });
    const made = { socket, reader: createAnswerReader(bodies), times: timesOf(socket, madeEvent, dialedAt) };
    const patience = setTimeout(() => settle(made, 'timeout'), connectTimeoutMs);
    socket.once(madeEvent, () => clearTimeout(patience));
    const lost = (isClean: boolean) => {
      clearTimeout(patience);
      settle(made, made.times.madeAt > 0 ? made.reader.end(isClean) : 'refused');
    };
    socket.on('end', () => lost(true));
    socket.on('error', () => lost(false));
    socket.on('close', () => lost(false));
    return made;
  }

  function heard(from: Line, bytes: Buffer): void {
    if (from !== line) return;
    if (done === undefined) return drop(); // no request is under way
    const now = readableAt(sentAt);
    if (firstByteAt < sentAt) firstByteAt = now;
    const result = from.reader.take(bytes);
    if (result !== undefined) settle(from, result, now);
  }

  function settle(from: Line, result: Answer | TransportFailure, now = performance.now()): void {
    if (from !== line) return;
    const report = done;
    done = undefined;
    if (typeof result === 'string') {
      drop();
      report?.(result, now);
      return;
    }
    if (result.keepMs === 0) drop();
    else freshUntil = now + result.keepMs;
    report?.(result, now, phasesOf(from.times, { sentAt, firstByteAt, now }));
  }

  function drop(): void {
    const ended = line;
    line = undefined;
    done = undefined;
    ended?.reader.end(false);
    ended?.socket.destroy();
  }

  return {
    send(request, trace, now, whenDone) {
      sentAt = now;
      if (sentAt > freshUntil) drop();
      line ??= open(sentAt);
      done = whenDone;
      line.socket.write(bytesOf(request, trace), 'latin1');
    },
    drop,
  };
}

type Instants = {
  readonly sentAt: number;
  readonly firstByteAt: number;
  readonly now: number;
};

/** The first request of a connection is sent before it is made, and leaves when it is. */
function phasesOf(line: ConnectionTimes, { sentAt, firstByteAt, now }: Instants): Phases {
  const receive = now - firstByteAt;
  if (sentAt !== line.dialedAt) return { firstByte: firstByteAt - sentAt, receive };
  return { ...connectionPhases(line), firstByte: firstByteAt - line.madeAt, receive };
}
