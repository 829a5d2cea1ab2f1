import type { HttpRequest, TransportFailure } from '../../core/http.ts';
import type { Answer } from './answer-reader.ts';
import { type Connection, createConnection } from './connection.ts';
import { headerRecord, type HeaderRecord } from './header-record.ts';
import type { Outcome } from '../measure/outcome.ts';
import { createRawRequests } from './raw-request.ts';

/** The result of one request. `body` is in the pieces in which it arrived, still in its content coding. */
export type Arrived = {
  readonly outcome: Outcome;
  /** Parsed on demand: most answers are recognised by their bytes alone. */
  readonly headers: () => HeaderRecord;
  readonly body: readonly Uint8Array[];
};

export type SocketPool = {
  /** Sends now, or as soon as a socket is free. `sent` is called before the request leaves. Returns a function that gives it up. */
  readonly send: (request: HttpRequest, sent: () => void, done: (arrived: Arrived) => void) => () => void;
  readonly stats: () => SocketStats;
  /** Closes every connection. Requests under way are forgotten, and waiting requests are never sent. */
  readonly close: () => void;
};

export type SocketStats = {
  readonly cap: number;
  /** The most that were busy at once. */
  readonly peak: number;
  /** Requests that had to wait for a socket. */
  readonly waited: number;
};

type Entry = {
  readonly request: HttpRequest;
  readonly sent: () => void;
  readonly done: (arrived: Arrived) => void;
  connection: Connection | undefined;
  isOver: boolean;
};

/** At most `cap` connections with one request at a time on each; the rest wait in order. Follows no redirect. */
export function openSockets(baseUrl: string, cap: number, connectTimeoutMs: number): SocketPool {
  const base = new URL(baseUrl);
  const bytesOf = createRawRequests(baseUrl);
  const connections: Connection[] = [];
  const idle: Connection[] = []; // the most recently used one last, so that few connections are in use
  const waiting = createQueue();
  let peak = 0;
  let waited = 0;

  function open(): Connection | undefined {
    if (connections.length >= cap) return undefined;
    const connection = createConnection(base, connectTimeoutMs);
    connections.push(connection);
    return connection;
  }

  function start(entry: Entry, connection: Connection): void {
    entry.connection = connection;
    peak = Math.max(peak, connections.length - idle.length);
    entry.sent();
    connection.send(bytesOf(entry.request), (result) => end(entry, arrivedOf(result)));
  }

  function end(entry: Entry, arrived: Arrived): void {
    if (entry.isOver) return;
    entry.isOver = true;
    if (entry.connection !== undefined) release(entry.connection);
    entry.done(arrived);
  }

  function release(connection: Connection): void {
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else start(next, connection);
  }

  return {
    send(request, sent, done) {
      const entry: Entry = { request, sent, done, connection: undefined, isOver: false };
      const connection = idle.pop() ?? open();
      if (connection === undefined) {
        waited += 1;
        waiting.push(entry);
      } else {
        start(entry, connection);
      }
      return () => {
        if (!entry.isOver) entry.connection?.drop(); // the next request opens a new connection
        end(entry, failed('timeout'));
      };
    },
    stats: () => ({ cap, peak, waited }),
    close() {
      for (const connection of connections) connection.drop();
    },
  };
}

function failed(outcome: TransportFailure): Arrived {
  return { outcome, headers: () => ({}), body: [] };
}

function arrivedOf(result: Answer | TransportFailure): Arrived {
  if (typeof result === 'string') return failed(result);
  const { status, head, body } = result;
  return { outcome: status, headers: () => headerRecord(linesOf(head)), body };
}

function linesOf(head: string): (readonly [string, string])[] {
  return head
    .split('\r\n')
    .slice(1)
    .map((line): readonly [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ])
    .filter(([name]) => name !== '');
}

/** First in, first out; requests that were given up are skipped. */
function createQueue() {
  let entries: Entry[] = [];
  let head = 0;
  return {
    push: (entry: Entry) => void entries.push(entry),
    shift(): Entry | undefined {
      for (;;) {
        const entry = entries[head];
        if (entry === undefined) return undefined;
        head += 1;
        if (head > 1000 && head * 2 > entries.length) {
          entries = entries.slice(head);
          head = 0;
        }
        if (!entry.isOver) return entry;
      }
    },
  };
}
