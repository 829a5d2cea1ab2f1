import type { Certified } from '../../testing/network/certificates.ts';
import { startNginx } from '../../testing/network/gateways.ts';
import { freePort } from '../../testing/network/port-of.ts';

export type StaticServer = {
  readonly name: string;
  readonly url: string;
  /** Over TLS, with HTTP/2 for clients that choose it; it only answers if the server was given a certificate. */
  readonly secureUrl: string;
  readonly close: () => Promise<void>;
};

/** nginx that answers every request with one page of JSON, from its cache of files; undefined where it is not installed. */
export async function startPageServer(page: string, certified?: Certified): Promise<StaticServer | undefined> {
  const securePort = await freePort();
  const secured = `listen 127.0.0.1:${securePort} ssl http2; ssl_certificate cert.pem; ssl_certificate_key key.pem;`;
  const lines = `${certified === undefined ? '' : secured} root .; default_type application/json; open_file_cache max=10;
keepalive_requests 1000000000; location / { try_files /page.json =404; }`;
  const files = { 'page.json': page, ...(certified && { 'cert.pem': certified.cert, 'key.pem': certified.key }) };
  const ends: (() => Promise<void>)[] = [];
  const port = await startNginx(lines, files, '', (end) => void ends.push(end));
  if (port === undefined) return undefined;
  const close = async () => {
    for (const end of ends) await end();
  };
  return { name: 'nginx', url: `http://127.0.0.1:${port}`, secureUrl: `https://127.0.0.1:${securePort}`, close };
}
