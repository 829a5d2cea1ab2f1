import type { Socket } from 'node:net';
import type { HttpRequest, Trace, TransportFailure } from '../../core/http.ts';
import type { InnerClient, InnerHead, InnerQueue, InnerRequest } from './autocannon-client.ts';
import { bodyOf, type KeptBodies, type KeptBody } from './kept-bodies.ts';
import { headerRecord } from './header-record.ts';
import type { LoadRequest, PlannedRequest } from '../schedule/load-request.ts';
import type { Arrived } from './sockets.ts';

/** What a connection needs from the run, and reports to it. */
export type ClosedHost = {
  /** The next request; undefined when the run is over; `later` when every chat is busy. */
  readonly next: () => PlannedRequest | 'later' | undefined;
  /** How long to wait before sending, in milliseconds: 0 sends now. */
  readonly gate: () => number;
  readonly sent: (request: LoadRequest, at: number) => void;
  /** A request is over; the connection has been busy with it from `sentAt` to `endedAt` of `performance.now()`. */
  readonly over: (request: LoadRequest, arrived: Arrived, sentAt: number, endedAt: number) => void;
  /** A connection closed without notice. */
  readonly closed: () => void;
  /** The run ended while this request was under way. */
  readonly unfinished: () => void;
};

/** The way of one connection to its entry point. */
export type ClosedLine = {
  readonly baseUrl: string;
  readonly dial: () => Socket;
  readonly bytesOf: (request: HttpRequest, trace: Trace) => string;
  readonly newTrace: () => Trace;
  readonly bodies: KeptBodies;
};

type Flight = {
  readonly planned: PlannedRequest;
  readonly sentAt: number;
  readonly trace: Trace;
  head: InnerHead | undefined;
  readonly body: KeptBody;
};

/** The pause after a refused connection; autocannon itself would connect again at once. */
export const refusedPauseMs = 100;
/** The pause when every chat is busy. */
export const laterMs = 10;
const noRequest: InnerRequest = { requestBuffer: Buffer.alloc(0) };

type Seat = {
  flight: Flight | undefined;
  /** The last connection error that autocannon reported. */
  failure: Error | undefined;
  /** The connection is about to end, as announced. */
  isClosing: boolean;
  readonly end: (outcome: Arrived['outcome']) => void;
};

/** Makes one connection of autocannon send the planned requests when the gate lets it, and report every result. */
export function takeOver(client: InnerClient, host: ClosedHost, line: ClosedLine): void {
  const { baseUrl, dial, bytesOf, newTrace, bodies } = line;
  const send = client._doRequest.bind(client);
  let [isFirst, isParked] = [true, false];

  const seat: Seat = {
    flight: undefined,
    failure: undefined,
    isClosing: false,
    end(outcome) {
      if (seat.flight === undefined) return;
      const { planned, sentAt, trace, head, body } = seat.flight;
      seat.flight = undefined;
      const kept = bodyOf(body);
      planned.done(outcome, kept.body);
      const headers = () => headerRecord(pairsOf(head));
      const sent = () => ({ ...planned.request.request, baseUrl, trace });
      host.over(planned.request, { outcome, headers, ...kept, sent }, sentAt, performance.now());
    },
  };

  client._connect = () => {
    if (client.destroyed) return;
    client.parser.reinitialize('RESPONSE'); // an answer that broke off must not become part of the next one
    const isRefused = seat.failure !== undefined && !isCut(seat.failure);
    if (!isFirst && !isRefused && !seat.isClosing) host.closed();
    endLost(seat, isRefused ? 'refused' : 'reset');
    isFirst = false;
    seat.isClosing = false;
    seat.failure = undefined;
    if (isRefused) setTimeout(connect, refusedPauseMs);
    else connect();
  };

  client._doRequest = () => {
    if (isParked || seat.isClosing || client.destroyed || seat.flight !== undefined) return;
    const waitMs = host.gate();
    const planned = waitMs > 0 ? 'later' : host.next();
    if (planned === undefined) return;
    if (planned === 'later') {
      isParked = true;
      return void setTimeout(resume, waitMs > 0 ? waitMs : laterMs);
    }
    const sentAt = performance.now();
    const { request } = planned.request;
    const trace = newTrace();
    seat.flight = { planned, sentAt, trace, head: undefined, body: bodies.begin() };
    client.timeout = request.timeoutMs;
    client.requestIterator.currentRequest = { requestBuffer: Buffer.from(bytesOf(request, trace), 'latin1') };
    host.sent(planned.request, sentAt);
    send();
  };

  /** What autocannon does itself, but over TLS it would accept every certificate. */
  function connect(): void {
    const socket = dial();
    client.conn = socket;
    socket.on('error', (error: Error) => {
      client.emit('connError', error);
      client._connect();
    });
    socket.on('data', (bytes: Buffer) => client.parser.execute(bytes));
    socket.on('end', () => client._connect());
    client._doRequest();
  }

  function resume(): void {
    isParked = false;
    client._doRequest();
  }

  // Each request is chosen when it is sent: autocannon's own list of requests is not used.
  client.requestIterator.nextRequest = () => client.requestIterator.currentRequest;
  client.pipelinedRequests = queueOf(seat, client, host);
  client.on('connError', (error) => {
    seat.failure = error;
  });
}

/** Replaces autocannon's own queue, which decodes bytes as text and loses failed requests. */
function queueOf(seat: Seat, client: InnerClient, host: ClosedHost): InnerQueue {
  return {
    insertRequest: () => {},
    addByteCount: () => {},
    setHeaders(head) {
      if (seat.flight !== undefined) seat.flight.head = head;
      seat.isClosing = !head.shouldKeepAlive;
    },
    addBody: (piece) => seat.flight?.body.add(piece),
    terminateRequest() {
      const statusCode = seat.flight?.head?.statusCode ?? 0;
      seat.end(statusCode);
      return { req: noRequest, headers: { statusCode, headers: [] }, body: '', bytes: 0, duration: 0 };
    },
    clear() {
      if (client.destroyed && seat.flight !== undefined) {
        seat.flight.body.end();
        seat.flight = undefined;
        host.unfinished();
        return;
      }
      seat.isClosing = true; // autocannon ends this connection
      seat.end('timeout');
    },
  };
}

/** Ends what was under way on a connection that is gone. */
function endLost(seat: Seat, why: TransportFailure): void {
  const head = seat.flight?.head;
  if (head === undefined) seat.end(why);
  else seat.end(seat.isClosing && endsWithItsConnection(head) ? head.statusCode : 'truncated');
}

/** Whether a connection was made and then cut. */
function isCut(failure: Error): boolean {
  return 'code' in failure && (failure.code === 'ECONNRESET' || failure.code === 'EPIPE');
}

/** An answer without a length ends with its connection, which autocannon does not handle. */
function endsWithItsConnection(head: InnerHead): boolean {
  const headers = headerRecord(pairsOf(head));
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

function* pairsOf(head: InnerHead | undefined): Iterable<readonly [string, string]> {
  const raw = head?.headers ?? [];
  for (let index = 0; index + 1 < raw.length; index += 2) yield [raw[index] ?? '', raw[index + 1] ?? ''];
}
