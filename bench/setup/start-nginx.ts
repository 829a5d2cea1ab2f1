import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Certified } from '../../testing/network/certificates.ts';

export type StaticServer = {
  readonly name: string;
  readonly url: string;
  /** Over TLS, with HTTP/2 for clients that choose it; it only answers if the server was given a certificate. */
  readonly secureUrl: string;
  readonly close: () => Promise<void>;
};

/** nginx on free ports of loopback with one file to serve; undefined where it is not installed. */
export async function startNginx(path: string, text: string, certified?: Certified): Promise<StaticServer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-bench-'));
  const port = await freePort();
  const securePort = await freePort();
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
  if (certified !== undefined) {
    await writeFile(join(folder, 'cert.pem'), certified.cert);
    await writeFile(join(folder, 'key.pem'), certified.key);
  }
  const secured = certified && `listen 127.0.0.1:${securePort} ssl http2; ${certificateIn(folder)}`;
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, `listen 127.0.0.1:${port}; ${secured ?? ''}`));
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const ended = once(child, 'exit').catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true });
  };
  const secureUrl = `https://127.0.0.1:${securePort}`;
  if (await answers(`${url}${path}`)) return { name: 'nginx', url, secureUrl, close };
  await close();
  return undefined;
}

function certificateIn(folder: string): string {
  return `ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;`;
}

function configuration(folder: string, listening: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/log;
events { worker_connections 2048; }
http {
  ${temporary.join(' ')}
  access_log off; default_type application/json; open_file_cache max=10; keepalive_requests 1000000000;
  server { ${listening} root ${folder}; }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return address.port;
}

async function answers(url: string): Promise<boolean> {
  for (let look = 0; look < 50; look += 1) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
