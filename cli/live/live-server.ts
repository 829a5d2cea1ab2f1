import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../core/hash.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LiveMessage } from '../../reports/page/live-page.ts';

export type LiveServer = {
  /** The address of the page, with its token. */
  readonly url: string;
  /** Shows this state to every client, now and later. */
  readonly show: (state: LiveState) => void;
  /** Shows why the page no longer changes. Resolves when every reading client has received everything, or after two seconds. */
  readonly close: (status: string) => Promise<void>;
};

/** What a page shows: the texts of its parts, in order. */
export type LiveState = {
  readonly title: string;
  readonly clock: string;
  readonly status: string;
  readonly main: string;
  readonly parts: ReadonlyMap<string, string>;
};

type Options = {
  /** 0 is any free port. */
  readonly port: number;
  readonly page: string;
  /** The number of clients that follow changed. */
  readonly onClients: (clients: number) => void;
  /** A reader clicked the stop button. */
  readonly onStop: () => void;
};

const maxClients = 8;
/** The server drops a client that leaves more than this many bytes unread. */
const mostUnread = 1024 * 1024;
const maxConnections = 64;
const closePatienceMs = 2000;
const host = '127.0.0.1';

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Serves a live page on loopback, at an address that only its reader knows. Pages of other sites cannot read it: every path
 * has a random token, and the Host header must be this address. Rejects if the port is taken.
 */
export async function serveLive({ port, page, onClients, onStop }: Options): Promise<LiveServer> {
  const token = randomBytes(16).toString('hex');
  const clients = new Set<ServerResponse>();
  let state: LiveState | undefined;
  const server = createServer({ requestTimeout: 10_000 }, answer);
  server.maxConnections = maxConnections;
  server.listen(port, host);
  await once(server, 'listening');
  const address = `${host}:${portOf(server.address())}`;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const { method, url = '' } = request;
    if (request.headers.host !== address) return refuse(response, 421);
    if (!isSameSecret(url.slice(0, token.length + 2), `/${token}/`)) return refuse(response, 404);
    switch (`${method} ${url.slice(token.length + 2)}`) {
      case 'GET ':
        response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8', connection: 'close' });
        return void response.end(page);
      case 'GET events':
        return follow(response);
      case 'POST stop':
        return stop(request, response);
      default:
        return refuse(response, 404);
    }
  }

  function follow(response: ServerResponse): void {
    if (clients.size >= maxClients) return refuse(response, 503);
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    response.flushHeaders();
    clients.add(response);
    response.on('close', () => {
      clients.delete(response);
      onClients(clients.size);
    });
    if (state !== undefined) response.write(eventOf(whole(state)));
    onClients(clients.size);
  }

  /** Only the page itself may stop the run. A browser sends the origin of each request. */
  function stop({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
    if (origin !== `http://${address}`) return refuse(response, 403);
    onStop();
    response.writeHead(202, { ...headers, connection: 'close' });
    response.end();
  }

  function show(next: LiveState): void {
    const before = state;
    state = next;
    send(before === undefined ? whole(next) : changes(before, next));
  }

  function send(message: LiveMessage): void {
    const event = eventOf(message);
    for (const client of clients) {
      if (client.writableLength > mostUnread) client.destroy();
      else client.write(event);
    }
  }

  async function close(status: string): Promise<void> {
    send({ status, isOver: true });
    const ended = [...clients].map((client) => once(client, 'close'));
    for (const client of clients) client.end();
    server.close();
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closePatienceMs);
    await Promise.race([Promise.allSettled(ended), isLate]);
    clearTimeout(timer);
    server.closeAllConnections();
  }

  return { url: `http://${address}/${token}/`, show, close };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...headers, connection: 'close' });
  response.end();
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('the live page has no port');
  return address.port;
}

function eventOf(message: LiveMessage): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

function whole({ title, clock, status, main }: LiveState): LiveMessage {
  return { title, clock, status, isOver: false, main };
}

function changes(before: LiveState, { title, clock, status, parts }: LiveState): LiveMessage {
  const changed = [...parts].filter(([name, text]) => before.parts.get(name) !== text);
  return { title, clock, status, isOver: false, parts: Object.fromEntries(changed) };
}
