import { realClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { serve } from '../../reference/http/serve.ts';
import { createReference } from '../../reference/reference.ts';
import { makeCertificates } from '../../testing/network/certificates.ts';
import { type OnEnd, startHaproxy, startNginx, startTinyproxy } from '../../testing/network/gateways.ts';

/** How a target file reaches a deployment, and what its folder and environment need for that. */
export type Reached = {
  readonly file: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
};

export type Served = { readonly target: Target; readonly nodes: readonly Node[] };

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

/** A reference with two nodes, until the test ends. */
export async function serveNodes(faults: readonly string[], onEnd: OnEnd): Promise<Served> {
  const choices = { 'entry-points': 'two' };
  const { deployment, target } = createReference({ clock: realClock, seed: 1, faults, choices, latencyMs: [0, 0] });
  const nodes: Node[] = [];
  for (const baseUrl of target.baseUrls ?? []) {
    nodes.push(await startNode((request) => deployment({ ...request, baseUrl }), onEnd));
  }
  return { target, nodes };
}

const made = makeCertificates();
const gatewayKey = 'gw-7f3Kq9ZtXw2c';

function firstOf({ nodes: [first] }: Served): string {
  if (first === undefined) throw new Error('there is no node');
  return first.url.origin;
}

/** nginx that asks for TLS and a client certificate, for a header and a prefix, and compresses its answers. */
async function nginx(served: Served, onEnd: OnEnd): Promise<Reached | undefined> {
  if (made === undefined) return undefined;
  const directives = `ssl_certificate cert.pem; ssl_certificate_key key.pem; ssl_client_certificate ca.pem; ssl_verify_client on;
if ($http_x_gateway_key != "${gatewayKey}") { return 403; }
gzip on; gzip_min_length 1; gzip_types application/json; gzip_proxied any;
location /staging/ { proxy_pass ${firstOf(served)}/; }`;
  const files = { 'cert.pem': made.good.cert, 'key.pem': made.good.key, 'ca.pem': made.authority };
  const port = await startNginx(directives, files, ' ssl', onEnd);
  if (port === undefined) return undefined;
  return {
    file: {
      baseUrl: `https://localhost:${port}/staging`,
      headers: { 'X-Gateway-Key': '${AWC_GATEWAY_KEY}' },
      tls: { ca: 'ca.pem', cert: 'cert.pem', key: 'key.pem' },
    },
    files,
    env: { AWC_GATEWAY_KEY: gatewayKey },
  };
}

/** haproxy in front of two nodes, which restart one after the other, again and again. */
async function haproxy({ nodes }: Served, onEnd: OnEnd): Promise<Reached | undefined> {
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
  return { file: { baseUrl: `http://127.0.0.1:${balancer.port}` } };
}

/** No part between: both nodes by their URLs. */
async function nodes({ nodes: both }: Served): Promise<Reached> {
  return { file: { baseUrls: both.map(({ url }) => url.origin) } };
}

/** tinyproxy that wants a password and opens a tunnel to nginx, which speaks TLS. */
async function tinyproxy(served: Served, onEnd: OnEnd): Promise<Reached | undefined> {
  if (made === undefined) return undefined;
  const files = { 'cert.pem': made.good.cert, 'key.pem': made.good.key };
  const directives = `ssl_certificate cert.pem; ssl_certificate_key key.pem; location / { proxy_pass ${firstOf(served)}; }`;
  const port = await startNginx(directives, files, ' ssl', onEnd);
  const proxyPort = await startTinyproxy(['BasicAuth user secret-word'], onEnd);
  if (port === undefined || proxyPort === undefined) return undefined;
  return {
    file: {
      baseUrl: `https://localhost:${port}`,
      tls: { ca: 'ca.pem' },
      proxy: `http://user:\${AWC_PROXY_PASSWORD}@127.0.0.1:${proxyPort}`,
    },
    files: { 'ca.pem': made.authority },
    env: { AWC_PROXY_PASSWORD: 'secret-word' },
  };
}

/** tinyproxy that the environment names. Only it knows where staging.test is. */
async function environment(served: Served, onEnd: OnEnd): Promise<Reached | undefined> {
  const port = await startNginx(`location / { proxy_pass ${firstOf(served)}; }`, {}, '', onEnd);
  if (port === undefined) return undefined;
  const proxyPort = await startTinyproxy([`Upstream http 127.0.0.1:${port}`], onEnd);
  if (proxyPort === undefined) return undefined;
  return { file: { baseUrl: 'http://staging.test' }, env: { HTTP_PROXY: `http://127.0.0.1:${proxyPort}` } };
}

export const ways = { nginx, haproxy, nodes, tinyproxy, environment } satisfies Readonly<Record<string, Way>>;

/** nginx that wants Basic credentials. */
export async function behindBasic(served: Served, onEnd: OnEnd): Promise<Reached | undefined> {
  const directives = `location / { auth_basic "staging"; auth_basic_user_file /dev/null; proxy_pass ${firstOf(served)}; }`;
  const port = await startNginx(directives, {}, '', onEnd);
  return port === undefined ? undefined : { file: { baseUrl: `http://127.0.0.1:${port}` } };
}
