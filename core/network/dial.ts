import { connect, isIP, type Socket, type OnReadOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Route } from '../target.ts';
import { addressOf } from './address.ts';
import { proxyOf, tunnelStream } from './proxy.ts';
import { tlsOptions } from './tls-options.ts';

/** Makes connections for the load engines, which write to them at once: they send it when the connection is made. */
export type Dialer = {
  readonly dial: (options?: { readonly onread?: OnReadOpts }) => Socket;
  /** The event by which a connection is made. */
  readonly made: 'connect' | 'secureConnect';
};

/** A dialer for the origin of a base URL. `protocols` are offered by ALPN. */
export function createDialer(route: Route, protocols: readonly string[] = ['http/1.1']): Dialer {
  const { baseUrl, tls } = route;
  const proxy = proxyOf(route);
  if (proxy?.kind === 'forward') return dialerTo(proxy.url.href, { ALPNProtocols: ['http/1.1'] });
  return dialerTo(
    baseUrl,
    { ...tlsOptions(tls), ALPNProtocols: [...protocols] },
    proxy === undefined ? undefined : () => tunnelStream(proxy, baseUrl),
  );
}

function dialerTo(url: string, tls: ConnectionOptions, tunnel?: () => Duplex): Dialer {
  const { isTls, host, port } = addressOf(url);
  const address = { host, port, noDelay: true };
  if (!isTls) return { dial: (options = {}) => connect({ ...address, ...options }), made: 'connect' };
  const secured = { servername: isIP(host) === 0 ? host : '', ...tls };
  const dial: Dialer['dial'] = ({ onread } = {}) => {
    if (tunnel === undefined) return connectTls({ ...address, ...(onread && { onread }), ...secured });
    const stream = tunnel();
    const socket = connectTls({ host, ...secured, socket: stream });
    // Node does not read into the buffer where it does not own the socket.
    socket.on('data', (bytes: Buffer) => onread?.callback(bytes.length, bytes));
    stream.on('error', (error: Error) => socket.destroy(error));
    stream.on('close', () => socket.destroy());
    return socket;
  };
  return { dial, made: 'secureConnect' };
}
