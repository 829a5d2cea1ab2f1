import { type Deployment, type HttpRequest, type HttpResponse, maxBodyBytes, TransportError } from '../http.ts';
import type { Route } from '../target.ts';
import { addressOf } from './address.ts';
import { type AnswerMemory, createAnswerMemory } from './answer-memory.ts';
import { renewing } from './renewed-keys.ts';
import { http2Exchanges, type Protocol } from './http2-exchanges.ts';
import { decodeBody } from './network-coding.ts';
import { type Connection, openConnection } from './network-connection.ts';
import { proxyOf } from './proxy.ts';
import { tlsOptions } from './tls-options.ts';
import type { Transfer } from './transfers.ts';

const maxSockets = 32;
/** So that those that no request needs do not occupy the threads of a small server. */
const maxIdle = 8;

export type NetworkTarget = {
  /** Follows no redirect, keeps no cookie, and adds no header of its own but Host, Connection and Content-Length. */
  readonly deployment: Deployment;
  /** Ends all connections; what is under way fails. */
  readonly close: () => void;
  /** The version of HTTP that the server chose, if it has a choice and was connected. */
  readonly protocol: () => Protocol | undefined;
};

/** A connection that the server closed before ends within a round trip, in milliseconds; one that ends later failed. */
const staleMs = 1000;

export type NetworkOptions = {
  readonly maxBodyBytes?: number;
  /** Shared by the entry points of a deployment. */
  readonly memory?: AnswerMemory;
};

/**
 * A deployment at a base URL, which may end in a path, over HTTP/1.1.
 *
 * A write (POST, DELETE) opens a new connection, because a server may close an idle one while a request is on its way. That must
 * not look like a failure, and nothing must be sent twice. A GET and a repeatable write may reuse a connection. If a reused one ends
 * at once, without a byte of the answer, the request is sent once more on a new one. Any request may follow the one before it.
 *
 * A connection often leads to one process of several for as long as it is open. So idle ones take turns, and a GET does not follow
 * a write on its connection where another is idle.
 *
 * At most 32 sockets are open, 8 of them idle. A request waits for one, and its timeout begins then.
 */
export function networkDeployment(
  route: Route,
  { maxBodyBytes: mostBytes = maxBodyBytes, memory = createAnswerMemory() }: NetworkOptions = {},
): NetworkTarget {
  const { origin, prefix } = addressOf(route.baseUrl);
  const secured = tlsOptions(route.tls);
  const proxy = proxyOf(route);
  const { http2: wanted = 'never' } = route;
  const http2 = wanted === 'never' ? undefined : http2Exchanges(route, mostBytes);
  const idle = createIdle();
  const busy = new Set<Connection>();
  const slots = createSlots();
  let isClosed = false;

  function open(): Connection {
    idle.closeAbove(maxSockets - slots.taken());
    return openConnection(origin, secured, proxy);
  }

  async function send(connection: Connection, request: HttpRequest, transfer: Transfer): Promise<HttpResponse> {
    if (isClosed) throw new TransportError('refused', 'The connections to the target are closed.');
    busy.add(connection);
    try {
      return await connection.exchange(request, mostBytes, transfer);
    } finally {
      busy.delete(connection);
      if (isClosed) connection.close();
      else if (connection.isOpen()) idle.keep(connection);
    }
  }

  async function exchange(request: HttpRequest, transfer: Transfer): Promise<HttpResponse> {
    const mayRepeat = request.method === 'GET' || request.isRepeatable === true;
    const follows = request.follows === true;
    if (!mayRepeat && !follows) return send(open(), request, transfer);
    const startedAt = performance.now();
    const connection = idle.take(follows ? 'newest' : 'oldest') ?? open();
    try {
      return await send(connection, request, transfer);
    } catch (error) {
      const tookMs = performance.now() - startedAt;
      const isReset = error instanceof TransportError && error.failure === 'reset' && connection.isUsed();
      if (!isReset || !mayRepeat || tookMs > staleMs) throw error;
      const remainingMs = Math.max(1, Math.ceil(request.timeoutMs - tookMs));
      return send(open(), { ...request, timeoutMs: remainingMs }, transfer);
    }
  }

  async function deployment(request: HttpRequest): Promise<HttpResponse> {
    await slots.take();
    const transfer = memory.transfer();
    try {
      const sent = { ...request, path: prefix + request.path };
      const response = (await http2?.send(sent, transfer)) ?? (await exchange(sent, transfer));
      const body = await decodeBody(response.body, response.headers['content-encoding'] ?? '', mostBytes);
      const answered = { ...response, body };
      return memory.count(answered, request);
    } finally {
      transfer.end();
      slots.give();
    }
  }

  function close(): void {
    isClosed = true;
    http2?.close();
    idle.closeAbove(0);
    for (const connection of busy) connection.close();
    memory.end();
  }

  return { deployment: renewing(deployment, route.renewal), close, protocol: () => http2?.protocol() };
}

/** Connections that no request uses, in the order of their use: the one that waited longest is usually used next, or closed. */
function createIdle() {
  const idle: Connection[] = [];
  function closeAbove(most: number): void {
    while (idle.length > Math.max(0, most)) idle.shift()?.close();
  }
  return {
    take(which: 'oldest' | 'newest'): Connection | undefined {
      const next = () => (which === 'oldest' ? idle.shift() : idle.pop());
      let connection = next();
      while (connection !== undefined && !connection.isOpen()) connection = next();
      return connection;
    },
    keep(connection: Connection): void {
      idle.push(connection);
      closeAbove(maxIdle);
    },
    closeAbove,
  };
}

/** One for each socket; a request waits for one. */
function createSlots() {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    taken: () => taken,
    async take(): Promise<void> {
      if (taken < maxSockets) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    give(): void {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
