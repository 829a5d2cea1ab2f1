import { realClock } from '../../core/clock.ts';
import { sha256 } from '../../core/hash.ts';
import type { Deployment, HttpRequest } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { serve } from '../../reference/http/serve.ts';
import { createReference } from '../../reference/reference.ts';
import { makeCertificates } from '../../testing/network/certificates.ts';
import {
  hasBrotli,
  type OnEnd,
  startHaproxy,
  startNginx,
  startSquid,
  startTinyproxy,
} from '../../testing/network/gateways.ts';

/** How a target file reaches a deployment, and what its folder and environment need for that. */
export type Reached = {
  readonly file: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
};

export type Served = {
  readonly target: Target;
  readonly nodes: readonly Node[];
  /** What the first node serves. */
  readonly deployment: Deployment;
};

/** Puts real parts in front of a deployment. Undefined if a part is not installed. */
export type Way = (served: Served, onEnd: OnEnd) => Promise<Reached | undefined>;

/** One server of a deployment. */
export type Node = {
  readonly url: URL;
  /** Ends its connections, and listens again at the same port. */
  readonly restart: () => Promise<void>;
};

/** In milliseconds. */
const pollMs = 20;
const betweenRestartsMs = 500;

/** Whether no request is at a node, by the statistics of haproxy: backend, server, waiting, most waiting, sessions … */
function isIdle(statistics: string, name: string): boolean {
  const [, , waiting, , sessions] =
    statistics
      .split('\n')
      .find((line) => line.startsWith(`nodes,${name},`))
      ?.split(',') ?? [];
  return waiting === '0' && sessions === '0';
}

async function startNode(deployment: Deployment, onEnd: OnEnd): Promise<Node> {
  let server = await serve(deployment, { port: 0, host: '127.0.0.1' });
  const url = new URL(server.url);
  onEnd(() => server.close());
  return {
    url,
    async restart() {
      await server.close();
      server = await serve(deployment, { port: Number(url.port), host: '127.0.0.1' });
    },
  };
}

/** How the deployment differs from the correct reference. */
export type ServedOptions = {
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
};

/** A reference with two nodes, until the test ends. */
export async function serveNodes({ faults = [], choices = {} }: ServedOptions, onEnd: OnEnd): Promise<Served> {
  const { deployment, target } = createReference({
    clock: realClock,
    seed: 1,
    faults,
    choices: { ...choices, 'entry-points': 'two' },
    latencyMs: [0, 0],
  });
  const nodes: Node[] = [];
  for (const baseUrl of target.baseUrls ?? []) {
    nodes.push(await startNode((request) => deployment({ ...request, baseUrl }), onEnd));
  }
  return { target, nodes, deployment };
}

const made = makeCertificates();
const gatewayKey = 'gw-7f3Kq9ZtXw2c';

function firstOf({ nodes: [first] }: Served): string {
  if (first === undefined) throw new Error('there is no node');
  return first.url.origin;
}

/** nginx that compresses every answer, with gzip unless the client accepts another coding that it has. Its base URL. */
async function packing(served: Served, onEnd: OnEnd): Promise<string | undefined> {
  const types = 'types application/json';
  const directives = `gzip on; gzip_min_length 1; gzip_${types}; gzip_proxied any; gzip_http_version 1.0;
${hasBrotli ? `brotli on; brotli_min_length 1; brotli_${types};` : ''}
location / { proxy_pass ${firstOf(served)}; }`;
  const port = await startNginx(directives, {}, '', onEnd);
  return port === undefined ? undefined : `http://127.0.0.1:${port}`;
}

/**
 * tinyproxy that wants a password and opens a tunnel to nginx, which asks for TLS and a client certificate, for a header and a
 * prefix, and compresses its answers. It offers HTTP/2, and no client asks for it.
 */
async function tunnel(served: Served, onEnd: OnEnd): Promise<Reached | undefined> {
  const packed = await packing(served, onEnd);
  if (made === undefined || packed === undefined) return undefined;
  const directives = `ssl_certificate cert.pem; ssl_certificate_key key.pem; ssl_client_certificate ca.pem; ssl_verify_client on;
if ($http_x_gateway_key != "${gatewayKey}") { return 403; }
set $codings gzip;
if ($http_accept_encoding) { set $codings $http_accept_encoding; }
location /staging/ { proxy_pass ${packed}/; proxy_set_header Accept-Encoding $codings; }`;
  const files = { 'cert.pem': made.good.cert, 'key.pem': made.good.key, 'ca.pem': made.authority };
  const port = await startNginx(directives, files, ' ssl http2', onEnd);
  const proxyPort = await startTinyproxy(['BasicAuth user secret-word'], onEnd);
  if (port === undefined || proxyPort === undefined) return undefined;
  return {
    file: {
      baseUrl: `https://localhost:${port}\${AWC_PREFIX}`,
      headers: { 'X-Gateway-Key': '${AWC_GATEWAY_KEY}' },
      tls: { ca: 'ca.pem', cert: 'cert.pem', key: 'key.pem' },
      proxy: `http://user:\${AWC_PROXY_PASSWORD}@127.0.0.1:${proxyPort}`,
    },
    files,
    env: { AWC_GATEWAY_KEY: gatewayKey, AWC_PREFIX: '/staging', AWC_PROXY_PASSWORD: 'secret-word' },
  };
}

/** The URL of a haproxy in front of all nodes, which restart one after the other, again and again. */
async function balancing({ nodes }: Served, onEnd: OnEnd): Promise<string | undefined> {
  const balancer = await startHaproxy(
    nodes.map(({ url }) => url),
    onEnd,
  );
  if (balancer === undefined) return undefined;
  const { command } = balancer;
  let ended = false;
  async function restartInTurn(): Promise<void> {
    for (let turn = 0; !ended; turn = (turn + 1) % nodes.length) {
      const name = `node-${turn + 1}`;
      await command(`set server nodes/${name} state drain`);
      while (!ended && !isIdle(await command('show stat'), name)) await realClock.sleep(pollMs);
      await nodes[turn]?.restart();
      await command(`set server nodes/${name} state ready`);
      await realClock.sleep(betweenRestartsMs);
    }
  }
  const restarts = restartInTurn();
  onEnd(async () => {
    ended = true;
    await restarts;
  });
  return `http://127.0.0.1:${balancer.port}`;
}

/** nginx that speaks TLS and chooses HTTP/2, in front of haproxy. */
async function balancer(served: Served, onEnd: OnEnd): Promise<Reached | undefined> {
  const balanced = await balancing(served, onEnd);
  if (made === undefined || balanced === undefined) return undefined;
  const files = { 'cert.pem': made.good.cert, 'key.pem': made.good.key };
  const directives = `ssl_certificate cert.pem; ssl_certificate_key key.pem; location / { proxy_pass ${balanced}; }`;
  const port = await startNginx(directives, files, ' ssl http2', onEnd);
  if (port === undefined) return undefined;
  const file = { baseUrl: `https://localhost:${port}`, http2: 'auto', tls: { ca: 'ca.pem' } };
  return { file, files: { 'ca.pem': made.authority } };
}

/** nginx that speaks HTTP/2 only. It ends each connection after a thousand requests (GOAWAY). */
async function http2(served: Served, onEnd: OnEnd): Promise<Reached | undefined> {
  if (made === undefined) return undefined;
  const files = { 'cert.pem': made.good.cert, 'key.pem': made.good.key };
  const directives = `ssl_certificate cert.pem; ssl_certificate_key key.pem;
if ($server_protocol != "HTTP/2.0") { return 426; }
location / { proxy_pass ${firstOf(served)}; }`;
  const port = await startNginx(directives, files, ' ssl http2', onEnd);
  if (port === undefined) return undefined;
  const file = { baseUrl: `https://localhost:${port}`, http2: 'always', tls: { ca: 'ca.pem' } };
  return { file, files: { 'ca.pem': made.authority } };
}

/**
 * Two nodes by their names, which only the squid that the environment names knows. Their keys work for 20 to 40 seconds; a script
 * prints the latest one.
 */
async function nodes({ target, deployment }: Served, onEnd: OnEnd): Promise<Reached | undefined> {
  const keyOf = (name: string, time: number) => sha256(`${name} ${time}`);
  const withTrueKey = (request: HttpRequest): HttpRequest => {
    const now = Math.floor(realClock.now() / 20_000);
    const { authorization = '' } = request.headers;
    const holder = target.principals.find(({ name }) =>
      [now, now - 1].some((time) => authorization === `Bearer ${keyOf(name, time)}`),
    );
    const known = holder === undefined ? authorization : `Bearer ${holder.key}`;
    return { ...request, headers: { ...request.headers, ...(authorization && { authorization: known }) } };
  };
  const ports: Record<string, number> = {};
  for (const [index, baseUrl] of (target.baseUrls ?? []).entries()) {
    const { url } = await startNode((request) => deployment({ ...withTrueKey(request), baseUrl }), onEnd);
    ports[`node-${index + 1}.test`] = Number(url.port);
  }
  const proxyPort = await startSquid(ports, onEnd);
  if (proxyPort === undefined) return undefined;
  const principals = target.principals.map(({ name, adminOf }) => {
    return [name, { key: { command: `sh key.sh ${name}`, refreshSeconds: 5 }, adminOf: [...adminOf] }] as const;
  });
  const script = 'printf %s "$1 $(( ($(date +%s) - ${KEY_AGE:-0}) / 20 ))" | sha256sum | cut -c 1-64\n';
  return {
    file: {
      baseUrls: Object.keys(ports).map((name) => `http://${name}`),
      principals: Object.fromEntries(principals),
    },
    files: { 'key.sh': script },
    env: { HTTP_PROXY: `http://127.0.0.1:${proxyPort}` },
  };
}

/** A way has several conditions, because each way is gone by whole runs. */
export const ways = { tunnel, balancer, http2, nodes } satisfies Readonly<Record<string, Way>>;
