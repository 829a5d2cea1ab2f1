import { type IncomingMessage, request as send } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { realClock } from '../../core/clock.ts';
import { type LiveState, serveLive } from './live-server.ts';

const state: LiveState = {
  title: 'Running',
  clock: '1 of 2 s',
  status: 'Running',
  main: '<p>whole</p>',
  parts: new Map([
    ['one', '<p>1</p>'],
    ['two', '<p>2</p>'],
  ]),
};

async function served() {
  const counts: number[] = [];
  const stops: string[] = [];
  const server = await serveLive({
    port: 0,
    page: '<!doctype html>',
    onClients: (count) => void counts.push(count),
    onStop: () => void stops.push('stop'),
  });
  onTestFinished(() => server.close('over'));
  return { ...server, counts, stops, url: new URL(server.url) };
}

type Sent = { readonly method?: string; readonly headers?: Readonly<Record<string, string>> };

async function answered(url: URL, { method = 'GET', headers = {} }: Sent = {}): Promise<IncomingMessage> {
  const request = send(url, { method, headers, agent: false });
  onTestFinished(() => void request.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject).end();
  return promise;
}

/** The messages of the server so far, and all when it ends. */
async function followed(url: URL) {
  const response = await answered(new URL('events', url));
  let text = '';
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  response.on('error', () => {}).on('close', resolve);
  const messages = () =>
    text.split('\n\n').flatMap((event): unknown[] => (event === '' ? [] : [JSON.parse(event.slice('data: '.length))]));
  return { response, ended: isOver.then(messages) };
}

test('the page stands only at the address with the token, and asks nothing of other hosts', async () => {
  const { url } = await served();
  expect(url.hostname).toBe('127.0.0.1');
  expect(url.pathname).toMatch(/^\/[0-9a-f]{32}\/$/);
  const { statusCode, headers } = await answered(url);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test.each<[string, string, Sent, number]>([
  ['without a token', '/', {}, 404],
  ['with another token', `/${'0'.repeat(32)}/`, {}, 404],
  ['with another token, for the events', `/${'0'.repeat(32)}/events`, {}, 404],
  ['for a path that is none', 'other', {}, 404],
  ['with another method', '', { method: 'PUT' }, 404],
  ['by the name of another host, which an attacker may let point here', '', { headers: { host: 'evil.example' } }, 421],
  ['by a name of this machine', '', { headers: { host: 'localhost' } }, 421],
])('a request %s is refused', async (_name, path, sent, status) => {
  const { url } = await served();
  const { statusCode, headers } = await answered(new URL(path, url), sent);
  expect(statusCode).toBe(status);
  expect(headers['content-length'] ?? '0').toBe('0');
});

test('a client gets the whole state first, then what changed, and in the end why nothing more comes', async () => {
  const { url, show, close, counts } = await served();
  show(state);
  const { ended } = await followed(url);
  show({ ...state, clock: '2 of 2 s', parts: new Map([...state.parts, ['two', '<p>3</p>']]) });
  await close('over');
  expect(await ended).toEqual([
    { title: 'Running', clock: '1 of 2 s', status: 'Running', isOver: false, main: '<p>whole</p>' },
    { title: 'Running', clock: '2 of 2 s', status: 'Running', isOver: false, parts: { two: '<p>3</p>' } },
    { status: 'over', isOver: true },
  ]);
  expect(counts).toEqual([1, 0]);
});

test('a client that came before the first state gets it whole', async () => {
  const { url, show, close } = await served();
  const { ended } = await followed(url);
  show(state);
  await close('over');
  expect(await ended).toMatchObject([{ main: '<p>whole</p>' }, { isOver: true }]);
});

test('the ninth client is refused, until another one leaves', async () => {
  const { url, counts } = await served();
  const clients = await Promise.all(Array.from({ length: 8 }, () => followed(url)));
  expect((await answered(new URL('events', url))).statusCode).toBe(503);
  clients[0]?.response.destroy();
  while (counts.at(-1) !== 7) await realClock.sleep(5);
  expect((await answered(new URL('events', url))).statusCode).toBe(200);
});

test('a client that reads nothing is dropped, and holds nothing up', async () => {
  const { url, show, close, counts } = await served();
  const socket = connect(Number(url.port), url.hostname).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`GET ${url.pathname}events HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`);
  while (counts.length === 0) await realClock.sleep(5);
  let shown = 0;
  while (counts.at(-1) !== 0 && shown < 100) {
    show({ ...state, parts: new Map([['one', `${shown}`.padEnd(1024 * 1024)]]) });
    shown += 1;
    await realClock.sleep(2);
  }
  expect(counts).toEqual([1, 0]);
  await close('over');
});

test.each([
  ['its own page', 'POST', (url: URL) => ({ origin: url.origin }), 202, ['stop']],
  ['a page of another site', 'POST', () => ({ origin: 'http://evil.example' }), 403, []],
  ['a page without an origin', 'POST', () => ({ origin: 'null' }), 403, []],
  ['something that is no page', 'POST', () => ({}), 403, []],
  ['a link', 'GET', (url: URL) => ({ origin: url.origin }), 404, []],
] as const)('a run is stopped by its own page alone: %s', async (_name, method, headers, status, wanted) => {
  const { url, stops } = await served();
  const { statusCode } = await answered(new URL('stop', url), { method, headers: { ...headers(url) } });
  expect(statusCode).toBe(status);
  expect(stops).toEqual(wanted);
});

test('a port that is taken is an error', async () => {
  const { url } = await served();
  await expect(serveLive({ port: Number(url.port), page: '', onClients: () => {}, onStop: () => {} })).rejects.toThrow(
    /EADDRINUSE/,
  );
});
