import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { Socket } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { errorCode } from '../error-code.ts';
import type { Route } from '../target.ts';
import { addressOf } from './address.ts';

/** The proxy in the way to a base URL. */
export type Proxy = {
  readonly url: URL;
  /** For reports, without user name and password. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `tunnel`: the proxy connects to an https origin. `forward`: it gets the request for an http origin. */
  readonly kind: 'tunnel' | 'forward';
  readonly from: string;
};

export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'ERR_PROXY';
}

export function proxyOf({ baseUrl, proxyFor }: Route): Proxy | undefined {
  const settings = proxyFor?.(baseUrl);
  if (settings === undefined) return undefined;
  const url = new URL(settings.url);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    url,
    name: url.origin,
    headers: credentials === ':' ? {} : { 'proxy-authorization': authorization },
    kind: baseUrl.startsWith('https:') ? 'tunnel' : 'forward',
    from: settings.from,
  };
}

/** A connection through the proxy to the host of an https base URL: any 2xx opens it (RFC 9110, 9.3.6). Rejects with {@link ProxyError}. */
export function openTunnel(proxy: Proxy, baseUrl: string, signal?: AbortSignal): Promise<Socket> {
  const { url, headers } = proxy;
  const { authority: wanted } = addressOf(baseUrl);
  const { isTls, host, port } = addressOf(url.href);
  const request = (isTls ? requestTls : requestPlain)({
    host,
    port,
    method: 'CONNECT',
    path: wanted,
    headers: { host: wanted, ...headers },
    agent: false,
    ...(signal === undefined ? {} : { signal }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  request.once('connect', ({ statusCode = 0 }, socket, head: Buffer) => {
    if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket) {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    } else {
      socket.destroy();
      reject(refusal(proxy, statusCode, wanted));
    }
  });
  request.on('error', (error) => reject(unreachable(proxy, error)));
  request.end();
  return promise;
}

/** The same as a stream that can be written to at once. */
export function tunnelStream(proxy: Proxy, baseUrl: string): Duplex {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const stream = Duplex.from({ writable: up, readable: down });
  const given = new AbortController();
  stream.once('close', () => given.abort());
  openTunnel(proxy, baseUrl, given.signal).then(
    (socket) => {
      stream.once('close', () => socket.destroy());
      socket.once('close', () => stream.destroy());
      socket.on('error', (error) => stream.destroy(error));
      up.pipe(socket);
      socket.pipe(down);
    },
    (error: Error) => stream.destroy(error),
  );
  return stream;
}

export function unreachable({ name, from }: Proxy, error: Error): ProxyError {
  return new ProxyError(
    `No connection could be made: the proxy ${name} from ${from} cannot be reached (${errorCode(error) ?? 'no code'}).`,
  );
}

/** What a proxy says instead of connecting, with a remedy. */
export function refusal(proxy: Proxy, status: number, wanted: string): ProxyError {
  const { name, from } = proxy;
  return new ProxyError(
    `No connection could be made: the proxy ${name} from ${from} ${refused(proxy, status, wanted)} (${status}).`,
  );
}

function refused({ headers }: Proxy, status: number, wanted: string): string {
  if (status >= 500) return `cannot reach ${wanted}: the base URL may be wrong, or nothing listens there`;
  // tinyproxy answers 401 to a wrong password.
  if (status !== 407 && status !== 401)
    return `does not connect to ${wanted}: let it allow that address, or set another proxy`;
  return headers['proxy-authorization'] === undefined
    ? 'wants a user name and password: write them into its URL, as http://user:password@host:port'
    : 'refuses the user name and password: correct them in its URL';
}
