import { appendFile, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Certificates, makeCertificates } from '../../testing/network/certificates.ts';
import { startNginx } from '../../testing/network/gateways.ts';
import { listen, serve } from '../../testing/network/network-servers.ts';
import { awc, servedReference, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';

const made = makeCertificates();

async function withClientCertificates({ good, authority }: Certificates): Promise<string> {
  const options = { ...good, ca: authority, requestCert: true };
  const server = createTlsServer(options, (_request, response) => void response.end());
  return (await listen(server)).replace('http:', 'https:');
}

/** nginx with these lines for every path, which let nothing pass. */
async function nginxWith(lines: string): Promise<string | undefined> {
  const port = await startNginx(`location / { ${lines} }`);
  return port === undefined ? undefined : `http://127.0.0.1:${port}`;
}

/** The target files of deployments that cannot be judged, and what every command says about them. */
const conditions = {
  'nothing listens': [() => Promise.resolve('http://127.0.0.1:9'), /nothing listens at that address/],
  'a page of a gateway': [
    () => serve((_request, response) => response.writeHead(403, { server: 'envoy' }).end('RBAC: access denied')),
    /gets 403 \("RBAC: access denied", server: envoy\)\. A gateway refuses the requests/,
  ],
  'a key that is refused': [
    () =>
      serve((_request, response) =>
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"title":"t","detail":"d"}}'),
      ),
    /No key works/,
  ],
  'nginx that wants Basic credentials': [
    () => nginxWith('auth_basic "staging"; auth_basic_user_file /dev/null;'),
    /401 Authorization Required.*A gateway wants credentials/,
  ],
  'nginx with nothing behind it': [
    () => nginxWith('proxy_pass http://127.0.0.1:9;'),
    /502 Bad Gateway.*The service behind the gateway does not answer: is it running\?/,
  ],
  'a client certificate that is missing': [
    () => (made === undefined ? Promise.resolve(undefined) : withClientCertificates(made)),
    /\. The server asks for a client certificate: set tls\.cert and tls\.key\.$/,
  ],
} as const satisfies Readonly<Record<string, readonly [() => Promise<string | undefined>, RegExp]>>;

test.for(Object.entries(conditions))(
  '%s: run, doctor, load and certify end with 3 and the same sentence',
  async ([_what, [open, sentence]], { skip }) => {
    const baseUrl = await open();
    if (baseUrl === undefined) return skip('needs openssl or nginx');
    const target = await servedReference();
    const path = await writtenTarget({ ...target, baseUrl });
    const folder = await temporaryFolder();
    if (baseUrl.startsWith('https:')) {
      await writeFile(join(dirname(path), 'ca.pem'), made?.authority ?? '');
      await appendFile(path, '\ntls: { ca: ca.pem }\n');
    }
    const key = join(folder, 'key.pem');
    expect((await awc('keygen', '--out', key)).code).toBe(0);
    const said = await Promise.all([
      awc('run', path),
      awc('doctor', path),
      awc('load', path, '--profile', 'smoke'),
      awc('certify', path, '--key', key, '--out', join(folder, 'bundle')),
    ]);
    expect(said.map(({ code }) => code)).toEqual([3, 3, 3, 3]);
    const sentences = new Set(said.map(({ err }) => err.trim()));
    expect([...sentences]).toEqual([expect.stringMatching(sentence)]);
  },
);
