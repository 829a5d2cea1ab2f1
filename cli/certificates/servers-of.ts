import type { RunFile } from '../../certificates/bundle/run-file-schema.ts';
import { readTls } from '../../core/network/tls-facts.ts';
import type { Target } from '../../core/target.ts';

/** For the one handshake with each server. */
const timeoutMs = 10_000;

/** The protocol and the certificates of each entry point that is secured by TLS. Sends no request. */
export async function serversOf(target: Target): Promise<NonNullable<RunFile['servers']>> {
  const servers: NonNullable<RunFile['servers']> = [];
  for (const baseUrl of target.baseUrls ?? [target.baseUrl]) {
    const facts = await readTls({ ...target, baseUrl }, timeoutMs);
    if (facts.kind !== 'secure') continue;
    const { protocol, http, chain } = facts;
    const certificates = chain.map((one) => ({ ...one }));
    servers.push({ baseUrl, tls: protocol, ...(http === undefined ? {} : { http }), chain: certificates });
  }
  return servers;
}
