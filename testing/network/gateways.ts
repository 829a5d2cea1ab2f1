/** For tests: gateways and proxies of Debian in a process of their own, ended with the test. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { realClock } from '../../core/clock.ts';
import { freePort } from './port-of.ts';

/** How long a gateway may take until it listens, in milliseconds. */
const startMs = 10_000;

type Files = Readonly<Record<string, string>>;

/** Where to say how to end what was started: `onTestFinished`, which tests that run side by side take from their context. */
export type OnEnd = (end: () => Promise<void>) => void;

type Program = {
  readonly command: string;
  readonly args: readonly string[];
  readonly files: Files;
  readonly port: number;
};

/**
 * Starts a program in a folder with these files, and waits until it listens. Its folder, or undefined if it is not installed.
 * Rejects if it does not listen.
 */
async function started({ command, args, files, port }: Program, onEnd: OnEnd): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-gateway-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const child = spawn(command, args, { cwd: folder, stdio: 'ignore' });
  let ended = false;
  let isMissing = false;
  child.once('error', (error) => {
    ended = true;
    isMissing = 'code' in error && error.code === 'ENOENT';
  });
  child.once('exit', () => (ended = true));
  onEnd(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  for (const until = Date.now() + startMs; Date.now() < until && !ended; await realClock.sleep(20)) {
    if (await listens(port)) return folder;
  }
  if (isMissing) return undefined;
  throw new Error(`${command} does not listen at ${port}`);
}

async function listens(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
    return true;
  } catch (error) {
    return !(error instanceof Error && error.cause instanceof Error && /ECONNREFUSED/.test(String(error.cause)));
  }
}

/** Of the Debian package libnginx-mod-http-brotli-filter. */
const brotliModule = '/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so';

/** Whether nginx can compress with brotli, not only with gzip. */
export const hasBrotli = existsSync(brotliModule);

/**
 * The port of an nginx whose server block holds these lines; `ssl` adds to its listen directive. Undefined if it is not
 * installed.
 */
export async function startNginx(
  server: string,
  files: Files = {},
  ssl = '',
  onEnd: OnEnd = onTestFinished,
): Promise<number | undefined> {
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path tmp-${name};`);
  const text = `${hasBrotli ? `load_module ${brotliModule};` : ''} daemon off; master_process off; pid nginx.pid; error_log /dev/null;
events {}
http { access_log off; ${paths.join(' ')} server { listen 127.0.0.1:${port}${ssl}; ${server} } }`;
  const args = ['-p', '.', '-c', 'nginx.conf', '-e', '/dev/null'];
  const program = { command: 'nginx', args, files: { ...files, 'nginx.conf': text }, port };
  return (await started(program, onEnd)) === undefined ? undefined : port;
}

/** The port of a tinyproxy with these further lines. Undefined if it is not installed. */
export async function startTinyproxy(
  lines: readonly string[] = [],
  onEnd: OnEnd = onTestFinished,
): Promise<number | undefined> {
  const port = await freePort();
  const text = [`Port ${port}`, 'Listen 127.0.0.1', 'Timeout 330', 'MaxClients 1000', ...lines, ''].join('\n');
  const args = ['-d', '-c', 'tinyproxy.conf'];
  const program = { command: 'tinyproxy', args, files: { 'tinyproxy.conf': text }, port };
  return (await started(program, onEnd)) === undefined ? undefined : port;
}

/** The port of a squid that sends the requests for each of these host names to the server at its port. Undefined if it is not installed. */
export async function startSquid(ports: Readonly<Record<string, number>>, onEnd: OnEnd): Promise<number | undefined> {
  const port = await freePort();
  const peers = Object.entries(ports).map(
    ([host, serverPort]) => `acl ${host} dstdomain ${host}
cache_peer 127.0.0.1 parent ${serverPort} 0 no-query originserver login=PASSTHRU name=${host}
cache_peer_access ${host} allow ${host}`,
  );
  const text = `http_port 127.0.0.1:${port}
http_access allow all
${peers.join('\n')}
never_direct allow all
cache deny all
access_log none
cache_log /dev/null
pid_filename none
max_filedescriptors 1024
shutdown_lifetime 0 seconds
visible_hostname squid.test
`;
  const program = { command: 'squid', args: ['-N', '-f', 'squid.conf'], files: { 'squid.conf': text }, port };
  return (await started(program, onEnd)) === undefined ? undefined : port;
}

export type Haproxy = {
  readonly port: number;
  /** What its administration socket answers to a command, such as `set server nodes/node-1 state drain`. */
  readonly command: (text: string) => Promise<string>;
};

/** A haproxy that sends requests to `node-1`, `node-2` … in turn, of the backend `nodes`. Undefined if it is not installed. */
export async function startHaproxy(nodes: readonly URL[], onEnd: OnEnd): Promise<Haproxy | undefined> {
  const port = await freePort();
  const servers = nodes.map(({ host }, index) => `  server node-${index + 1} ${host}`);
  const text = `global
  stats socket unix@admin.sock level admin
defaults
  mode http
  timeout connect 5s
  timeout client 330s
  timeout server 330s
frontend entry
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
${servers.join('\n')}
`;
  const program = { command: 'haproxy', args: ['-db', '-f', 'haproxy.cfg'], files: { 'haproxy.cfg': text }, port };
  const folder = await started(program, onEnd);
  if (folder === undefined) return undefined;
  const command = async (line: string): Promise<string> => {
    const socket = connect(join(folder, 'admin.sock')).setEncoding('utf8');
    socket.end(`${line}\n`);
    let answer = '';
    for await (const piece of socket) answer += String(piece);
    return answer;
  };
  return { port, command };
}
