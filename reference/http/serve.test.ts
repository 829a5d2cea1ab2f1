import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../reference.ts';
import { serve } from './serve.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function open(faults: readonly string[] = [], choices: Readonly<Record<string, string>> = {}) {
  const { deployment, target } = createReference({
    clock: virtualClock(),
    seed: 3,
    latencyMs: [0, 0],
    faults,
    choices,
  });
  const { url, close } = await serve(deployment, { port: 0, host: '127.0.0.1' });
  closers.push(close);
  const [main] = target.organizations;
  const headers = { authorization: `Bearer ${target.principals[0]?.key}` };
  return { url, main, headers, models: `${url}/api/public/organizations/${main?.id}/models` };
}

/** What the server writes, byte for byte. */
async function raw(url: string, path: string, authorization: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`);
    });
    socket.setEncoding('latin1').on('data', (chunk) => (text += String(chunk)));
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}

test('A page comes over the socket, whole and in UTF-8', async () => {
  const { models, headers } = await open();
  const answer = await fetch(`${models}?limit=50`, { headers });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ pagination: { hasMore: true } });
  expect(text).toContain('Größe — 数据');
});

test('A body arrives as it was sent', async () => {
  const { url, main, headers } = await open();
  const message = ' 😀 e\u0301\r\n';
  const answer = await fetch(`${url}/api/public/organizations/${main?.id}/chats/${main?.chats[0]}/messages?wait=9`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  expect(await answer.json()).toMatchObject({ data: { userMessage: { text: message } } });
});

test('IDs that need percent-encoding are found', async () => {
  for (const ids of ['slash', 'space', 'percent', 'unicode', 'reserved']) {
    const { url, main, headers } = await open([], { ids });
    const path = `/api/public/organizations/${encodeURIComponent(main?.id ?? '')}/models?limit=1`;
    expect((await fetch(url + path, { headers })).status, ids).toBe(200);
  }
});

test.each([
  ['plain', 'content-length:'],
  ['chunked', 'transfer-encoding: chunked'],
  ['gzip', 'content-encoding: gzip'],
  ['close', 'connection: close'],
])('framing %s is seen on the wire, and what it carries is the same', async (framing, header) => {
  const { url, models, headers } = await open([], { framing });
  const plain = await open();
  const path = `${new URL(models).pathname}?limit=2`;
  expect((await raw(url, path, headers.authorization)).toLowerCase()).toContain(header);
  const [here, there] = await Promise.all([models, plain.models].map((page) => fetch(`${page}?limit=2`, { headers })));
  expect(await here?.text()).toBe(await there?.text());
});

test.each(['errors-cut-off', 'gzip-in-name-only'])('%s leaves no readable answer', async (fault) => {
  const { models, headers } = await open([fault]);
  const broken = fetch(`${models}?limit=0`, { headers }).then((answer) => answer.text());
  await expect(broken).rejects.toThrow();
  expect((await fetch(`${models}?limit=1`, { headers })).status).toBe(200);
});

test('reset-on-deletion, long-pages-cut-off and error-page-without-head break the connection', async () => {
  const { url, main, headers, models } = await open(['reset-on-deletion', 'long-pages-cut-off']);
  await expect(
    fetch(`${url}/api/public/organizations/${main?.id}/data-sources/x`, { method: 'DELETE', headers }),
  ).rejects.toThrow();
  await expect(fetch(`${models}?limit=100`, { headers }).then((answer) => answer.text())).rejects.toThrow();
  const other = await open(['error-page-without-head']);
  const path = `/api/public/organizations/${other.main?.id}/chats/none/messages`;
  await expect(fetch(other.url + path, { method: 'POST', headers: other.headers, body: '{}' })).rejects.toThrow();
});

test('A hang lasts until the client goes, and closing the server ends it', async () => {
  const { url, headers } = await open(['unknown-account-hangs']);
  const patience = AbortSignal.timeout(150);
  const hanging = fetch(`${url}/api/public/billing-accounts/none`, { headers, signal: patience });
  await expect(hanging).rejects.toThrow(/timeout/i);
});

test('Another method and a giant body get the error body', async () => {
  const { url, models, headers } = await open();
  const put = await fetch(models, { method: 'PUT', headers, body: 'x' });
  expect(put.status).toBe(405);
  expect(await put.json()).toMatchObject({ error: { title: 'MethodNotAllowed' } });
  const giant = await fetch(`${url}/api/public/billing-accounts/x/organizations`, {
    method: 'POST',
    headers,
    body: 'x'.repeat(5_000_000),
  });
  expect(giant.status).toBe(413);
});
