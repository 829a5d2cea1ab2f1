import { createSecureContext, type ConnectionOptions } from 'node:tls';
import type { TlsSettings } from '../target.ts';

/** The options of a TLS connection. Throws an OpenSSL error if the texts are not PEM or do not belong together. */
export function tlsOptions(
  tls: TlsSettings = {},
): Pick<ConnectionOptions, 'secureContext' | 'servername' | 'rejectUnauthorized'> {
  const { ca, cert, key, passphrase, serverName, insecure } = tls;
  const isUsual = ca === undefined && cert === undefined;
  return {
    ...(isUsual ? {} : { secureContext: createSecureContext({ ca, cert, key, passphrase }) }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}
