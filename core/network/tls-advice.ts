import type { Route } from '../target.ts';
import { addressOf } from './address.ts';
import { readTls } from './tls-facts.ts';

/**
 * Why a server that can be reached gives no usable answer, as a sentence with a remedy, if one TLS handshake shows it; otherwise
 * undefined. Sends no request. Never rejects.
 */
export async function tlsAdvice(route: Route, timeoutMs: number): Promise<string | undefined> {
  const { isTls, authority } = addressOf(route.baseUrl);
  if (!isTls) {
    const { kind } = await readTls({ baseUrl: `https://${authority}` }, timeoutMs);
    return kind === 'secure' ? 'The port speaks TLS: begin baseUrl with https://.' : undefined;
  }
  const facts = await readTls(route, timeoutMs);
  if (facts.kind !== 'secure' || !facts.asksForCertificate) return undefined;
  return route.tls?.cert === undefined
    ? 'The server asks for a client certificate: set tls.cert and tls.key.'
    : 'The server asks for a client certificate: does it trust the one of tls.cert?';
}
