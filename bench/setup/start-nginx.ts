import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type StaticServer = { readonly name: string; readonly url: string; readonly close: () => Promise<void> };

/** nginx on a free port of loopback with one file to serve; undefined where it is not installed. */
export async function startNginx(path: string, text: string): Promise<StaticServer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-bench-'));
  const port = await freePort();
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port));
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const ended = once(child, 'exit').catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true });
  };
  if (await answers(`${url}${path}`)) return { name: 'nginx', url, close };
  await close();
  return undefined;
}

function configuration(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/log;
events { worker_connections 2048; }
http {
  ${temporary.join(' ')}
  access_log off; default_type application/json; open_file_cache max=10; keepalive_requests 1000000000;
  server { listen 127.0.0.1:${port}; root ${folder}; }
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
