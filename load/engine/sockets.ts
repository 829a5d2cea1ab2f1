import type { HttpRequest, TransportFailure } from '../../core/http.ts';
import { createDialer } from '../../core/network/dial.ts';
import { baseUrlsOf } from '../../core/network/address.ts';
import type { Route } from '../../core/target.ts';
import type { Answer } from './answer-reader.ts';
import { type Connection, createConnection, type Reading } from './connection.ts';
import { createFifo } from './fifo.ts';
import { headerRecord, type HeaderRecord } from './header-record.ts';
import type { Outcome } from '../measure/outcome.ts';
import type { Phases } from '../measure/phases.ts';
import { createKeptBodies } from './kept-bodies.ts';
import { createTraces } from './new-trace.ts';
import { createPollClock } from './poll-clock.ts';
import { noRateCap, type RateCap } from './rate-cap.ts';
import { createRawRequests } from './raw-request.ts';
import { createStreams } from './streams.ts';

/** The result of one request. `body` is in the pieces in which it arrived, still in its content coding. */
export type Arrived = {
  readonly outcome: Outcome;
  /** Makes the request with its trace and entry point; undefined if it was never sent. */
  readonly sent?: (() => HttpRequest) | undefined;
  /** Parsed on demand: most answers are recognised by their bytes alone. */
  readonly headers: () => HeaderRecord;
  readonly body: readonly Uint8Array[];
  /** Whether there was no room for the body, so that it is not known. */
  readonly isUnkept?: boolean | undefined;
  /** Undefined where there is no answer. */
  readonly phases?: Phases | undefined;
};

export type SocketPool = {
  /**
   * Sends as soon as a socket is free and the rate cap admits it. `sent` is called before the request leaves, `done` when
   * its answer is complete or given up, each with the instant of `performance.now()`. Returns a function that gives it up.
   */
  readonly send: (request: HttpRequest, sent: Sent, done: Done) => () => void;
  /** How long the rate cap would hold a request that is sent now, in milliseconds. */
  readonly heldMs: () => number;
  readonly stats: () => SocketStats;
  /** Closes every connection. Requests under way are forgotten, and waiting requests are never sent. */
  readonly close: () => void;
};

export type SocketStats = {
  readonly cap: number;
  /** The most that were busy at once; with several entry points, the sum of the most at each. */
  readonly peak: number;
  /** Requests that had to wait for a socket. */
  readonly waited: number;
};

type Sent = (sentAt: number) => void;
type Done = (arrived: Arrived, endedAt: number) => void;

type Entry = {
  readonly request: HttpRequest;
  readonly sent: Sent;
  readonly done: Done;
  connection: Connection | undefined;
  /** The request with its trace, once it is sent. */
  asSent: Arrived['sent'];
  isOver: boolean;
};

/**
 * At most `cap` connections with one request at a time on each; the rest wait in order. Follows no redirect. Successive requests
 * go to the entry points in turn, which share the connections.
 */
export function openSockets(
  route: Route,
  cap: number,
  connectTimeoutMs: number,
  rateCap: Pick<RateCap, 'admit' | 'waitMs'> = noRateCap,
): SocketPool {
  const baseUrls = baseUrlsOf(route);
  const each = Math.ceil(cap / baseUrls.length);
  const reading = { connectTimeoutMs, bodies: createKeptBodies(), readableAt: createPollClock() };
  const pools = baseUrls.map((baseUrl) => openEntryPoint({ ...route, baseUrl }, each, reading, rateCap));
  const [first] = pools;
  if (first === undefined) throw new Error('a route without an entry point');
  let turn = -1;
  return {
    send(request, sent, done) {
      turn = (turn + 1) % pools.length;
      return (pools[turn] ?? first).send(request, sent, done);
    },
    heldMs: rateCap.waitMs,
    stats() {
      const all = pools.map((pool) => pool.stats());
      const sum = (read: (stats: SocketStats) => number) => all.reduce((total, stats) => total + read(stats), 0);
      return { cap: sum((one) => one.cap), peak: sum((one) => one.peak), waited: sum((one) => one.waited) };
    },
    close() {
      for (const { close } of pools) close();
    },
  };
}

function openEntryPoint(
  route: Route,
  cap: number,
  reading: Reading,
  rateCap: Pick<RateCap, 'admit' | 'waitMs'>,
): Omit<SocketPool, 'heldMs'> {
  const dialer = createDialer(route);
  const bytesOf = createRawRequests(route);
  const newTrace = createTraces();
  const streams = createStreams(route, rateCap);
  const connections: Connection[] = [];
  const idle: Connection[] = []; // the most recently used one last, so that few connections are in use
  const waiting = createFifo<Entry>();
  let peak = 0;
  let waited = 0;
  let isClosed = false;

  function open(): Connection | undefined {
    if (connections.length >= cap) return undefined;
    connections.push(streams.over(createConnection(dialer, bytesOf, reading)));
    return connections.at(-1);
  }

  function start(entry: Entry, connection: Connection): void {
    entry.connection = connection;
    peak = Math.max(peak, connections.length - idle.length);
    rateCap.admit(() => {
      if (entry.isOver || isClosed) return false;
      const sentAt = performance.now();
      entry.sent(sentAt);
      const trace = newTrace();
      entry.asSent = () => ({ ...entry.request, baseUrl: route.baseUrl, trace });
      connection.send(entry.request, trace, sentAt, (result, endedAt, phases) => {
        end(entry, arrivedOf(result, entry.asSent, phases), endedAt);
      });
      return true;
    });
  }

  function end(entry: Entry, arrived: Arrived, endedAt: number): void {
    if (entry.isOver) return;
    entry.isOver = true;
    if (entry.connection !== undefined) release(entry.connection);
    entry.done(arrived, endedAt);
  }

  function release(connection: Connection): void {
    let next = waiting.shift();
    while (next?.isOver === true) next = waiting.shift(); // it was given up
    if (next === undefined) idle.push(connection);
    else start(next, connection);
  }

  return {
    send(request, sent, done) {
      const entry: Entry = { request, sent, done, connection: undefined, asSent: undefined, isOver: false };
      const connection = idle.pop() ?? open();
      if (connection !== undefined) start(entry, connection);
      else {
        waited += 1;
        waiting.push(entry);
      }
      return () => {
        if (!entry.isOver) entry.connection?.drop(); // the next request opens a new connection
        end(entry, failed('timeout', entry.asSent), performance.now());
      };
    },
    stats: () => ({ cap, peak, waited }),
    close() {
      isClosed = true;
      for (const connection of connections) connection.drop();
      streams.close();
    },
  };
}

function failed(outcome: TransportFailure, sent: Arrived['sent']): Arrived {
  return { outcome, sent, headers: () => ({}), body: [] };
}

function arrivedOf(result: Answer | TransportFailure, sent: Arrived['sent'], phases?: Phases): Arrived {
  if (typeof result === 'string') return failed(result, sent);
  const { status, head, body, isUnkept } = result;
  return { outcome: status, sent, headers: () => headerRecord(linesOf(head)), body, isUnkept, phases };
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
