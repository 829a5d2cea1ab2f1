import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import type { HttpRequest } from '../core/http.ts';
import { createReference, type ReferenceOptions } from './reference.ts';

type Answer = { readonly status: number; readonly body: string; readonly tookMs: number };

/** A world of its own, and short ways to request it. */
function open(options: Partial<ReferenceOptions> = {}) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 11, latencyMs: [2, 2], ...options });

  async function send(method: HttpRequest['method'], path: string, body?: object, more: object = {}): Promise<Answer> {
    const sentAt = clock.now();
    const { key } = target.principals[0] ?? { key: '' };
    const answer = await deployment({
      method,
      path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: 400_000,
    });
    return { status: answer.status, body: Buffer.from(answer.body).toString(), tookMs: clock.now() - sentAt };
  }

  const [main] = target.organizations;
  const chat = (index: number, query = ''): string =>
    `/api/public/organizations/${main?.id}/chats/${main?.chats[index]}/messages${query}`;
  return {
    clock,
    target,
    send,
    chat,
    main: `/api/public/organizations/${main?.id}`,
    disposable: main?.disposableDataSources ?? [],
  };
}

const slow = { message: 'Analyse every model in depth.' } as const;
const quick = { message: 'Reply with ok.' } as const;

test('wait holds until the assistant finishes, or until the seconds are over', async () => {
  const { send, chat } = open();
  expect(await send('POST', chat(0, '?wait=300'), quick)).toMatchObject({ status: 200, tookMs: 152 });
  expect(await send('POST', chat(0, '?wait=300'), slow)).toMatchObject({ status: 200, tookMs: 4002 });
  expect(await send('POST', chat(0, '?wait=2'), slow)).toMatchObject({ status: 202, tookMs: 2002 });
  expect(await send('POST', chat(1), slow)).toMatchObject({ status: 202, tookMs: 2 });
});

test('A busy chat answers 409 until its response is finished, and other chats are free', async () => {
  const { send, chat, clock } = open();
  expect((await send('POST', chat(0), slow)).status).toBe(202);
  expect((await send('POST', chat(0), quick)).status).toBe(409);
  expect((await send('POST', chat(1), quick)).status).toBe(202);
  await clock.sleep(4000);
  expect((await send('POST', chat(0), quick)).status).toBe(202);
});

test('One key makes one message: at once, while generating, and when all is over', async () => {
  const { send, chat, clock } = open();
  const key = { 'idempotency-key': 'k' };
  const twins = await Promise.all([1, 2, 3].map(() => send('POST', chat(0, '?wait=10'), slow, key)));
  const later = await send('POST', chat(0), slow, key);
  await clock.sleep(10_000);
  await send('POST', chat(0, '?wait=10'), quick);
  const last = await send('POST', chat(0), slow, key);
  const ids = [...twins, later, last].map(({ body }) => [...body.matchAll(/"id":"(msg[^"]*)","chatId"/g)].join());
  expect(new Set(ids).size).toBe(1);
  expect(last.status).toBe(200);
});

test('Of several messages at once one is accepted', async () => {
  const { send, chat } = open({ latencyMs: [1, 9] });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send('POST', chat(0), slow)));
  expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
    202, 409, 409, 409, 409,
  ]);
});

test('A deleted data source leaves the list at once and its models a little later', async () => {
  const { send, main, disposable, clock } = open();
  const [id = ''] = disposable;
  const sources = `${main}/data-sources?limit=100`;
  const models = `${main}/models?limit=100`;
  expect((await send('GET', models)).body).toContain(`"databaseConnectionId":"${id}"`);
  expect(await send('DELETE', `${main}/data-sources/${id}`)).toMatchObject({ status: 200 });
  expect((await send('GET', sources)).body).not.toContain(`"id":"${id}"`);
  expect((await send('GET', models)).body).toContain(`"databaseConnectionId":"${id}"`);
  await clock.sleep(4000);
  expect((await send('GET', models)).body).not.toContain(`"databaseConnectionId":"${id}"`);
});

test('A caller that has used the quota up learns when it is back', async () => {
  const { send, main } = open({ latencyMs: [0, 0], choices: { 'rate-quota': '20-in-1s' } });
  const path = `${main}/models?limit=1`;
  const answers = await Promise.all(Array.from({ length: 22 }, () => send('GET', path)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  expect(answers.at(-1)?.body).toContain('"title":"RateLimitExceeded"');
  expect(answers.at(-1)?.body).toContain('"retryAfterMs":1000');
});

test('A client that waits too long learns so then', async () => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, faults: ['always-held'], latencyMs: [0, 0] });
  const [main] = target.organizations;
  const sentAt = clock.now();
  const answer = deployment({
    method: 'POST',
    path: `/api/public/organizations/${main?.id}/chats/${main?.chats[0]}/messages`,
    headers: { authorization: `Bearer ${target.principals[0]?.key}` },
    body: JSON.stringify(slow),
    timeoutMs: 1000,
  });
  await expect(answer).rejects.toMatchObject({ failure: 'timeout' });
  expect(clock.now() - sentAt).toBe(1000);
});
