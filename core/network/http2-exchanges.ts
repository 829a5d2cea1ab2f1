import { type HttpRequest, type HttpResponse, TransportError } from '../http.ts';
import type { Route } from '../target.ts';
import { addressOf } from './address.ts';
import type { ExchangeTimes } from './connection-times.ts';
import { createDialer } from './dial.ts';
import { type Http2Session, openHttp2, Unprocessed } from './http2-session.ts';
import { type Proxy, proxyOf } from './proxy.ts';
import type { Transfer } from './transfers.ts';

/** The version of HTTP that a server chose. */
export type Protocol = 'HTTP/1.1' | 'HTTP/2';

export type Http2Exchanges = {
  /** Resolves to undefined if the server chose HTTP/1.1, as `http2: auto` allows. Rejects with TransportError. */
  readonly send: (request: HttpRequest, transfer: Transfer, times?: ExchangeTimes) => Promise<HttpResponse | undefined>;
  /** Undefined before the first connection. */
  readonly protocol: () => Protocol | undefined;
  readonly close: () => void;
};

const refusal = 'No connection could be made: the server does not choose HTTP/2; set http2: auto or never.';

function forwardingRefusal({ name, from }: Proxy): string {
  return `No connection could be made: the proxy ${name} from ${from} forwards requests to http:// over HTTP/1.1 only; begin baseUrl with https://, or set http2: never.`;
}

/**
 * Sends requests as streams of one connection, and opens another when it is full or the server ends it (GOAWAY). A request that
 * the server says it has not processed is sent once more, when `mayRepeat` is fulfilled.
 */
export function http2Exchanges(
  route: Route,
  maxBodyBytes: number,
  mayRepeat: () => Promise<void> = () => Promise.resolve(),
): Http2Exchanges {
  const { origin, isTls } = addressOf(route.baseUrl);
  const isForced = route.http2 === 'always';
  const proxy = proxyOf(route);
  const forwarding = proxy?.kind === 'forward' ? proxy : undefined;
  const isPossible = isForced || isTls;
  const dialer = createDialer(route, isForced ? ['h2'] : ['h2', 'http/1.1']);
  let sessions: Http2Session[] = [];
  let protocol: Protocol | undefined = isPossible ? undefined : 'HTTP/1.1';

  function sessionWithRoom(): Http2Session {
    sessions = sessions.filter((session) => session.isOpen());
    const known = sessions.find((one) => one.hasRoom());
    if (known !== undefined) return known;
    const session = openHttp2(origin, dialer);
    sessions.push(session);
    return session;
  }

  async function exchange(
    request: HttpRequest,
    transfer: Transfer,
    times?: ExchangeTimes,
  ): Promise<HttpResponse | undefined> {
    const before = sessions;
    const session = sessionWithRoom();
    if (times !== undefined) times.opened = before.includes(session) ? undefined : session.times;
    const response = await session.exchange(request, maxBodyBytes, transfer, times);
    protocol = response === undefined ? 'HTTP/1.1' : 'HTTP/2';
    if (response === undefined) session.close();
    if (response === undefined && isForced) throw new TransportError('refused', refusal);
    return response;
  }

  async function send(
    request: HttpRequest,
    transfer: Transfer,
    times?: ExchangeTimes,
  ): Promise<HttpResponse | undefined> {
    if (protocol === 'HTTP/1.1' && !isForced) return undefined;
    if (forwarding !== undefined) throw new TransportError('refused', forwardingRefusal(forwarding));
    const startedAt = performance.now();
    try {
      return await exchange(request, transfer, times);
    } catch (error) {
      if (!(error instanceof Unprocessed)) throw error;
      await mayRepeat();
      const remainingMs = Math.max(1, Math.ceil(request.timeoutMs - (performance.now() - startedAt)));
      return exchange({ ...request, timeoutMs: remainingMs }, transfer, times);
    }
  }

  return {
    send,
    protocol: () => protocol,
    close() {
      for (const session of sessions) session.close();
    },
  };
}
