import { connect, isIP, type Socket, type OnReadOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Route } from '../target.ts';
import { tlsOptions } from './tls-options.ts';

/** Makes connections for the load engines, which write to them at once: they send it when the connection is made. */
export type Dialer = {
  readonly dial: (options?: { readonly onread?: OnReadOpts }) => Socket;
  /** The event by which a connection is made. */
  readonly made: 'connect' | 'secureConnect';
};

/** A dialer for the origin of a base URL. */
export function createDialer({ baseUrl, tls }: Route): Dialer {
  const { protocol, hostname, port } = new URL(baseUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = protocol === 'https:';
  const address = { host, port: Number(port || (isTls ? 443 : 80)), noDelay: true };
  if (!isTls) return { dial: (options = {}) => connect({ ...address, ...options }), made: 'connect' };
  const secured = { servername: isIP(host) === 0 ? host : '', ...tlsOptions(tls), ALPNProtocols: ['http/1.1'] };
  return { dial: (options = {}) => connectTls({ ...address, ...options, ...secured }), made: 'secureConnect' };
}
