import type { HttpRequest, TransportFailure } from '../harness/http.ts';
import type { InnerClient, InnerHead, InnerQueue, InnerRequest } from './autocannon-client.ts';
import type { LoadRequest } from './load-request.ts';
import type { Planned } from './request-plan.ts';
import type { Arrived } from './sockets.ts';

/** What a connection asks of the run, and tells it. */
export type ClosedHost = {
  /** The next request; undefined when nothing may be sent any more. Withheld ones have been counted. */
  readonly next: () => Extract<Planned, { kind: 'request' }> | 'later' | undefined;
  readonly bytesOf: (request: HttpRequest) => Buffer;
  /** How long to wait before sending, in milliseconds: 0 sends now. */
  readonly gate: () => number;
  readonly sent: (request: LoadRequest, at: number) => void;
  /** A request is over; the connection has been busy with it from `sentAt` to `endedAt` of `performance.now()`. */
  readonly over: (request: LoadRequest, arrived: Arrived, sentAt: number, endedAt: number) => void;
  /** A connection ended that its server had not said it would end. */
  readonly closed: () => void;
  /** The run is over for this request, and nobody will know what became of it. */
  readonly unfinished: () => void;
};

type Flight = {
  readonly planned: Extract<Planned, { kind: 'request' }>;
  readonly sentAt: number;
  head: InnerHead | undefined;
  readonly body: Buffer[];
};

/** How long to leave a target alone that refuses connections; autocannon itself would try again at once. */
const refusedPauseMs = 100;
const laterMs = 10;
const nobodys: InnerRequest = { requestBuffer: Buffer.alloc(0) };
const emptyHead = { statusCode: 0, headers: [] };

/** Makes one connection of autocannon send what the run plans, when it may, and account for all that becomes of it. */
export function takeOver(client: InnerClient, host: ClosedHost): void {
  const send = client._doRequest.bind(client);
  const connect = client._connect.bind(client);
  let flight: Flight | undefined;
  let failure: Error | undefined;
  let isFirst = true;
  let isClosing = false;
  let isParked = false;

  function end(outcome: Arrived['outcome']): void {
    if (flight === undefined) return;
    const { planned, sentAt, head, body } = flight;
    flight = undefined;
    planned.done(outcome);
    host.over(planned.request, { outcome, headers: headersOf(head), body }, sentAt, performance.now());
  }

  function lost(why: TransportFailure): void {
    end(flight?.head === undefined ? why : 'truncated');
  }

  client._connect = () => {
    if (client.destroyed) return;
    client.parser.reinitialize('RESPONSE'); // an answer that broke off must not swallow the next one
    const { code } = failure === undefined || !('code' in failure) ? { code: '' } : failure;
    const isRefused = failure !== undefined && code !== 'ECONNRESET' && code !== 'EPIPE';
    if (!isFirst && !isRefused && !isClosing) host.closed();
    if (isClosing && endsWithItsConnection(flight?.head)) end(flight?.head?.statusCode ?? 0);
    lost(isRefused ? 'refused' : 'reset');
    isFirst = false;
    isClosing = false;
    failure = undefined;
    if (isRefused) setTimeout(connect, refusedPauseMs);
    else connect();
  };

  client._doRequest = () => {
    if (isParked || isClosing || client.destroyed || flight !== undefined) return;
    const waitMs = host.gate();
    const planned = waitMs > 0 ? 'later' : host.next();
    if (planned === undefined) return;
    if (planned === 'later') {
      isParked = true;
      setTimeout(resume, waitMs > 0 ? waitMs : laterMs);
      return;
    }
    const sentAt = performance.now();
    flight = { planned, sentAt, head: undefined, body: [] };
    const { request } = planned.request;
    client.timeout = request.timeoutMs;
    client.requestIterator.currentRequest = { requestBuffer: host.bytesOf(request) };
    host.sent(planned.request, sentAt);
    send();
  };

  function resume(): void {
    isParked = false;
    client._doRequest();
  }

  // Each request is chosen when it is sent: autocannon's own list of requests has nothing to say.
  client.requestIterator.nextRequest = () => client.requestIterator.currentRequest;

  const queue: InnerQueue = {
    insertRequest: () => {},
    addByteCount: () => {},
    setHeaders(head) {
      if (flight !== undefined) flight.head = head;
      isClosing = !head.shouldKeepAlive;
    },
    addBody: (piece) => void flight?.body.push(piece),
    terminateRequest() {
      const { statusCode } = flight?.head ?? emptyHead;
      end(statusCode);
      return { req: nobodys, headers: { statusCode, headers: [] }, body: '', bytes: 0, duration: 0 };
    },
    clear() {
      if (client.destroyed && flight !== undefined) {
        flight = undefined;
        host.unfinished();
        return;
      }
      isClosing = true; // it is autocannon that ends this connection
      end('timeout');
    },
  };
  client.pipelinedRequests = queue;
  client.on('connError', (error) => {
    failure = error;
  });
}

/** An answer without a length is over when its connection is, which autocannon does not know. */
function endsWithItsConnection(head: InnerHead | undefined): boolean {
  const headers = headersOf(head);
  return head !== undefined && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

function headersOf(head: InnerHead | undefined): Arrived['headers'] {
  const headers: Record<string, string> = {};
  const raw = head?.headers ?? [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers[(raw[index] ?? '').toLowerCase()] = raw[index + 1] ?? '';
  return headers;
}
