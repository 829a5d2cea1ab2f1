import type { Socket } from 'node:net';
import type { Dialer } from '../../core/network/dial.ts';
import type { HttpRequest, Trace, TransportFailure } from '../../core/http.ts';
import { type Answer, type AnswerReader, createAnswerReader } from './answer-reader.ts';

/** A connection to one origin, with one request at a time. It is opened when needed, and reopened. */
export type Connection = {
  /** `done` is called once, later, unless the connection is dropped before. */
  readonly send: (request: HttpRequest, trace: Trace, done: (result: Answer | TransportFailure) => void) => void;
  /** Closes the connection at once and forgets the request under way. The next request opens a new one. */
  readonly drop: () => void;
};

type Line = { readonly socket: Socket; readonly reader: AnswerReader; isMade: boolean };

/** All connections read into the same buffer: each takes its bytes out before the next one reads. */
const readInto = Buffer.allocUnsafe(64 * 1024);

export function createConnection(
  { dial, made: madeEvent }: Dialer,
  bytesOf: (request: HttpRequest, trace: Trace) => Buffer,
  connectTimeoutMs: number,
): Connection {
  let line: Line | undefined;
  let done: ((result: Answer | TransportFailure) => void) | undefined;
  let freshUntil = 0;

  function open(): Line {
    const reader = createAnswerReader();
    const callback = (count: number, buffer: Uint8Array) => {
      heard(made, Buffer.from(buffer.buffer, buffer.byteOffset, count));
      return true;
    };
    const socket = dial({ onread: { buffer: readInto, callback } });
    const made: Line = { socket, isMade: false, reader };
    const patience = setTimeout(() => settle(made, 'timeout'), connectTimeoutMs);
    socket.once(madeEvent, () => {
      clearTimeout(patience);
      made.isMade = true;
    });
    const lost = (isClean: boolean) => {
      clearTimeout(patience);
      settle(made, made.isMade ? reader.end(isClean) : 'refused');
    };
    socket.on('end', () => lost(true));
    socket.on('error', () => lost(false));
    socket.on('close', () => lost(false));
    return made;
  }

  function heard(from: Line, bytes: Buffer): void {
    if (from !== line) return;
    if (done === undefined) return drop(); // no request is under way
    const result = from.reader.take(bytes);
    if (result !== undefined) settle(from, result);
  }

  function settle(from: Line, result: Answer | TransportFailure): void {
    if (from !== line) return;
    const report = done;
    done = undefined;
    if (typeof result === 'string' || result.keepMs === 0) drop();
    else freshUntil = performance.now() + result.keepMs;
    report?.(result);
  }

  function drop(): void {
    const ended = line;
    line = undefined;
    done = undefined;
    ended?.socket.destroy();
  }

  return {
    send(request, trace, whenDone) {
      if (performance.now() > freshUntil) drop();
      line ??= open();
      done = whenDone;
      line.socket.write(bytesOf(request, trace));
    },
    drop,
  };
}
