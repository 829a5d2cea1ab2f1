import { createServer } from 'node:http2';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpRequest } from '../../core/http.ts';
import type { Principal, Route } from '../../core/target.ts';
import { listen } from '../../testing/network/network-servers.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';
import { createMeasurement } from '../measure/measurement.ts';
import { listRequest } from '../schedule/load-request.ts';
import { runClosed } from './closed-engine.ts';
import { type Arrived, openSockets } from './sockets.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };
const request = listRequest('listModels', alice, 'org', 1, 2000);

/** What answers show of the requests that were sent: the server's name, its traceparent, and what the engine says of it. */
type Shown = { readonly node: unknown; readonly traceparent: unknown; readonly sent: HttpRequest | undefined };

function shownBy({ body, sent }: Arrived): Shown {
  return { ...JSON.parse(Buffer.concat(body).toString()), sent: sent?.() };
}

async function byOpenLoad(route: Route): Promise<readonly Shown[]> {
  const pool = openSockets(route, 4, 1000);
  onTestFinished(pool.close);
  const sends = Array.from({ length: 20 }, () =>
    new Promise<Arrived>((resolve) => pool.send(request.request, () => {}, resolve)).then(shownBy),
  );
  return Promise.all(sends);
}

async function byClosedLoad(route: Route): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  const { unfinished } = await runClosed({
    route,
    connections: 4,
    plan: () => ({ kind: 'request', request, done: () => {} }),
    measurement: createMeasurement(1000),
    warmUpMs: 0,
    durationMs: 300,
    gate: () => 0,
    listener: (_request, arrived) => void shown.push(shownBy(arrived)),
    signal: new AbortController().signal,
  });
  expect(unfinished).toBe(0);
  return shown;
}

async function startNode(name: string, http2: Route['http2']) {
  if (http2 === 'always') {
    const server = createServer((message, reply) => {
      reply.end(JSON.stringify({ node: name, traceparent: message.headers['traceparent'] }));
    });
    return listen(server);
  }
  const server = await tinyServer((message, reply) => json(reply, 200, { node: name, ...message.headers }));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}

test.each([
  ['an open load', 'never', byOpenLoad],
  ['an open load', 'always', byOpenLoad],
  ['a closed load', 'never', byClosedLoad],
  ['a closed load', 'auto', byClosedLoad],
  ['a closed load', 'always', byClosedLoad],
] as const)('%s with HTTP/2 %s goes to all entry points, each request with a trace', async (_kind, http2, send) => {
  const baseUrls = [await startNode('one', http2), await startNode('two', http2)];
  const shown = await send({ baseUrl: baseUrls[0] ?? '', baseUrls, http2 });
  const [one, two] = ['one', 'two'].map((name) => shown.filter(({ node }) => node === name));
  expect(one?.length).toBeGreaterThan(1);
  expect(two?.length).toBeGreaterThan(1);
  expect(new Set(shown.map(({ traceparent }) => traceparent)).size).toBe(shown.length);
  for (const { node, traceparent, sent } of shown) {
    expect(sent).toMatchObject({ ...request.request, baseUrl: baseUrls[node === 'one' ? 0 : 1] });
    expect(traceparent).toBe(`00-${sent?.trace?.traceId}-${sent?.trace?.spanId}-00`);
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  }
});
