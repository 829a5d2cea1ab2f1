/** For tests: gateways and proxies of Debian in a process of their own, ended with the test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { realClock } from '../core/clock.ts';

/** How long a gateway may take until it listens, in milliseconds. */
const startMs = 10_000;

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

type Files = Readonly<Record<string, string>>;

/** Starts a program in a folder with these files, and waits until it listens. False if it is not installed. */
async function started(command: string, args: readonly string[], files: Files, port: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-gateway-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const child = spawn(command, args, { cwd: folder, stdio: 'ignore' });
  let ended = false;
  child.once('error', () => (ended = true));
  child.once('exit', () => (ended = true));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  for (const until = Date.now() + startMs; Date.now() < until && !ended; await realClock.sleep(20)) {
    if (await listens(port)) return true;
  }
  return false;
}

async function listens(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
    return true;
  } catch (error) {
    return !(error instanceof Error && error.cause instanceof Error && /ECONNREFUSED/.test(String(error.cause)));
  }
}

/**
 * The port of an nginx whose server block holds these lines; `ssl` adds to its listen directive. Undefined if it is not
 * installed.
 */
export async function startNginx(server: string, files: Files = {}, ssl = ''): Promise<number | undefined> {
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path tmp-${name};`);
  const text = `daemon off; master_process off; pid nginx.pid; error_log /dev/null;
events {}
http { access_log off; ${paths.join(' ')} server { listen 127.0.0.1:${port}${ssl}; ${server} } }`;
  const args = ['-p', '.', '-c', 'nginx.conf', '-e', '/dev/null'];
  return (await started('nginx', args, { ...files, 'nginx.conf': text }, port)) ? port : undefined;
}

/** The port of a tinyproxy with these further lines. Undefined if it is not installed. */
export async function startTinyproxy(lines: readonly string[] = []): Promise<number | undefined> {
  const port = await freePort();
  const text = [`Port ${port}`, 'Listen 127.0.0.1', 'Timeout 30', ...lines, ''].join('\n');
  return (await started('tinyproxy', ['-d', '-c', 'tinyproxy.conf'], { 'tinyproxy.conf': text }, port))
    ? port
    : undefined;
}
