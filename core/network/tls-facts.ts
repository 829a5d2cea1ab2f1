import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { errorCode, shownCode } from '../error-code.ts';
import type { Route } from '../target.ts';
import { shown } from '../text.ts';
import { addressOf } from './address.ts';
import { createDialer } from './dial.ts';

/** What the TLS of a base URL is like. */
export type TlsFacts =
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly code: string }
  | {
      readonly kind: 'secure';
      /** Such as `TLSv1.3`. */
      readonly protocol: string;
      /** Why the certificate is not trusted here, as a code; undefined when it is. */
      readonly untrusted: string | undefined;
      /** Milliseconds since the epoch; undefined where the certificate says nothing readable. */
      readonly validTo: number | undefined;
      /** Whether the server asks for a certificate of the client, which it may not need. */
      readonly asksForCertificate: boolean;
      /** What the server chose of HTTP/2 and HTTP/1.1; undefined where it did not choose. */
      readonly http: string | undefined;
      /** The certificate of the server, and the known ones of those that signed it. */
      readonly chain: readonly CertificateFacts[];
    };

/** A certificate of a chain. */
export type CertificateFacts = {
  /** The common names; empty if there are none. */
  readonly subject: string;
  readonly issuer: string;
  /** Of its DER form, in hexadecimal. */
  readonly sha256: string;
};

/** The most certificates of a chain, and the longest name in one, in characters. */
const maxChain = 8;
const maxName = 200;

/** Makes one TLS connection, whose certificate may be a bad one: it is what is asked about. Sends nothing over it. Never rejects. */
export async function readTls(route: Route, timeoutMs: number): Promise<TlsFacts> {
  if (!addressOf(route.baseUrl).isTls) return { kind: 'none' };
  const { promise, resolve } = Promise.withResolvers<TlsFacts>();
  const socket = createDialer({ ...route, tls: { ...route.tls, insecure: true } }, ['h2', 'http/1.1']).dial();
  socket.setTimeout(timeoutMs, () => resolve({ kind: 'failed', code: 'ETIMEDOUT' }));
  socket.on('error', (error) => resolve({ kind: 'failed', code: shownCode(errorCode(error)) })); // a proxy may fail after that too
  socket.once('secureConnect', () => {
    if (socket instanceof TLSSocket) resolve(factsOf(socket));
  });
  const facts = await promise;
  socket.destroy();
  return facts;
}

function factsOf(socket: TLSSocket): TlsFacts {
  const until = Date.parse(socket.getPeerCertificate().valid_to ?? '');
  return {
    kind: 'secure',
    protocol: socket.getProtocol() ?? 'unknown',
    untrusted: socket.authorized
      ? undefined
      : shownCode(errorCode(socket.authorizationError) ?? socket.authorizationError),
    validTo: Number.isNaN(until) ? undefined : until,
    // A client knows common algorithms only from a server that asks for a certificate.
    asksForCertificate: socket.getSharedSigalgs().length > 0,
    http: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : undefined,
    chain: chainOf(socket.getPeerCertificate(true)),
  };
}

function chainOf(first: DetailedPeerCertificate): readonly CertificateFacts[] {
  const chain = new Map<string, CertificateFacts>();
  let next: DetailedPeerCertificate | undefined = first;
  while (next?.fingerprint256 !== undefined && !chain.has(next.fingerprint256) && chain.size < maxChain) {
    const { subject, issuer, fingerprint256 } = next;
    const sha256 = fingerprint256.replaceAll(':', '').toLowerCase();
    chain.set(fingerprint256, { subject: nameOf(subject), issuer: nameOf(issuer), sha256 });
    next = next.issuerCertificate; // the last one names itself
  }
  return [...chain.values()];
}

function nameOf({ CN: name }: { readonly CN?: string | readonly string[] }): string {
  return shown([name ?? ''].flat().join(', '), maxName);
}
