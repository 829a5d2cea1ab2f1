import { expect, test } from 'vitest';
import type { Operation } from '../../spec/requirement.ts';
import { NotSent } from './unanswered/breaker.ts';
import { virtualClock } from '../../core/clock.ts';
import type { Exchange } from '../../core/exchange.ts';
import { TransportError } from '../../core/http.ts';
import { createSender } from './sender.ts';
import { Blocked } from '../verdict.ts';

const request = { method: 'POST', path: '/', headers: {}, timeoutMs: 1000 } as const;

type Said = { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

/** A sender to a deployment that says one thing after the other, and the last one ever after; `sentAt` is in ms. */
function begin(...says: readonly (Said | 'nothing' | 'refused')[]) {
  const clock = virtualClock();
  const startedAt = clock.now();
  const sentAt: number[] = [];
  const deployment = async () => {
    const said = says[Math.min(sentAt.length, says.length - 1)] ?? 'nothing';
    sentAt.push(clock.now() - startedAt);
    if (said === 'refused') throw new TransportError('refused', 'nothing listens');
    if (said === 'nothing') throw new TransportError('timeout', 'it broke');
    const { status, body = {}, headers = {} } = said;
    return { status, headers, body: Buffer.from(JSON.stringify(body)) };
  };
  const sender = createSender(deployment, clock, Number.POSITIVE_INFINITY);
  const send = (options: { operation?: Operation; patient?: boolean; regardless?: boolean } = {}) =>
    sender.send({ operation: 'sendMessage', caller: 'alice', request, patient: true, ...options }, () => {});
  return { clock, sender, send, sentAt };
}

const limited = (retryAfterMs: unknown, headers = {}): Said => ({
  status: 429,
  body: { error: { retryAfterMs } },
  headers,
});
const fine: Said = { status: 200 };

test.each([
  ['retryAfterMs', limited(700), 700],
  ['a short retryAfterMs', limited(10), 10],
  ['retryAfterMs rather than the header', limited(700, { 'retry-after': '3' }), 700],
  ['the header in seconds, where there is nothing else', limited(undefined, { 'retry-after': '3' }), 3000],
  ['a second, where nothing is said', limited(undefined), 1000],
  ['a second, where nonsense is said', limited(-5, { 'retry-after': 'soon' }), 1000],
])('waits a 429 out by %s', async (_what, said, waitedMs) => {
  const { send, sentAt } = begin(said, fine);
  expect((await send()).status).toBe(200);
  expect(sentAt).toEqual([0, waitedMs]);
});

test('keeps others back as well, but not who asks for the limit', async () => {
  const { clock, send, sentAt } = begin(limited(700), fine);
  const first = send();
  await clock.sleep(10);
  await Promise.all([first, send(), send({ patient: false })]);
  expect(sentAt).toEqual([0, 10, 700, 700]);
});

test('hands a 429 to who asks for it', async () => {
  const { send, sentAt } = begin(limited(700), fine);
  expect((await send({ patient: false })).status).toBe(429);
  expect(sentAt).toHaveLength(1);
});

test('waits less and less eagerly for a limit that does not end, and not for ever', async () => {
  const { clock, send, sentAt } = begin(limited(0));
  const startedAt = clock.now();
  await expect(send()).rejects.toThrow(Blocked);
  expect(sentAt).toHaveLength(10);
  expect(clock.now() - startedAt).toBeLessThan(30_000);
});

test('waits less for a limit that did not end before, until a request is let through', async () => {
  const still = limited(50_000);
  const { clock, send } = begin(still, still, still, still, still, still, fine, still, still, fine);
  const timed = async (expected: RegExp | number) => {
    const startedAt = clock.now();
    if (typeof expected === 'number') expect((await send()).status).toBe(expected);
    else await expect(send()).rejects.toThrow(expected);
    return clock.now() - startedAt;
  };
  expect(await timed(/after 4 tries/)).toBe(105_000);
  expect(await timed(/after 1 tries/)).toBe(0);
  expect(await timed(/after 1 tries/)).toBe(0);
  expect(await timed(200)).toBe(0);
  expect(await timed(200)).toBe(100_000);
});

test('waits less each time for requests that are refused for themselves, although others are let through', async () => {
  const clock = virtualClock();
  const body = Buffer.from(JSON.stringify({ error: { retryAfterMs: 1000 } }));
  const sender = createSender(
    async ({ path }) => ({ status: path === '/spoiled' ? 429 : 200, headers: {}, body }),
    clock,
    Number.POSITIVE_INFINITY,
  );
  const send = (path: string) =>
    sender.send({ operation: 'sendMessage', caller: 'alice', request: { ...request, path }, patient: true }, () => {});
  const waitedMs: number[] = [];
  for (let time = 0; time < 4; time += 1) {
    const startedAt = clock.now();
    await expect(send('/spoiled')).rejects.toThrow(Blocked);
    waitedMs.push(clock.now() - startedAt);
    expect((await send('/')).status).toBe(200);
  }
  expect(waitedMs[0]).toBeLessThan(30_000);
  expect(waitedMs.at(-1)).toBeLessThan(4000);
  expect(waitedMs).toEqual(waitedMs.toSorted((one, other) => other - one));
});

test('one request that waits long beyond what it was asked does not keep the others back', async () => {
  const still = Array.from({ length: 9 }, () => limited(0));
  const { clock, send, sentAt } = begin(...still, fine);
  const first = send();
  await clock.sleep(7000);
  const before = sentAt.length;
  await send();
  expect(sentAt.length).toBeGreaterThan(before);
  expect(clock.now()).toBeLessThan(Date.UTC(2026, 0, 15, 12) + 9100);
  await first;
});

test('tries once whether a limit beyond the longest wait is over soon, and then no more', async () => {
  const { send, sentAt } = begin(limited(126_000), limited(121_000), limited(121_000));
  await expect(send()).rejects.toThrow(Blocked);
  expect(sentAt).toEqual([0, 5000]);
  await expect(send()).rejects.toThrow(Blocked);
  expect(sentAt).toEqual([0, 5000, 5000]);
});

test('where a limit is over long before it says so, later requests try after a short time, too, but at most three times', async () => {
  const still = limited(3_600_000);
  const { send, sentAt } = begin(still, fine, still, still, fine, still, still, still, still);
  expect((await send()).status).toBe(200);
  expect((await send()).status).toBe(200);
  expect(sentAt).toEqual([0, 5000, 5000, 10_000, 15_000]);
  await expect(send()).rejects.toThrow(Blocked);
  expect(sentAt.slice(5)).toEqual([15_000, 20_000, 25_000, 30_000]);
});

test('a long wait of which little is left after the trial is waited for', async () => {
  const { send, sentAt } = begin(limited(22_000), limited(17_000), fine, limited(40_000), fine);
  await send();
  await send();
  expect(sentAt).toEqual([0, 5000, 22_000, 22_000, 62_000]);
});

test('sends nothing more of an operation that does not answer, but one now and then, and others at once', async () => {
  const { send, sentAt } = begin('nothing', 'nothing', 'nothing', fine);
  for (let count = 0; count < 3; count += 1) await expect(send()).rejects.toThrow('it broke');
  await expect(send()).rejects.toThrow(NotSent);
  expect(sentAt).toHaveLength(3);
  expect((await send({ operation: 'deleteDataSource' })).status).toBe(200);
  await expect(send()).rejects.toThrow(NotSent);
  expect((await send({ regardless: true })).status).toBe(200);
  expect((await send()).status).toBe(200);
});

test('tries what does not answer every half minute', async () => {
  const { clock, send, sentAt } = begin('nothing', 'nothing', 'nothing', 'nothing', fine);
  for (let count = 0; count < 3; count += 1) await expect(send()).rejects.toThrow('it broke');
  await clock.sleep(30_000);
  await expect(send()).rejects.toThrow('it broke');
  await expect(send()).rejects.toThrow(NotSent);
  await clock.sleep(29_000);
  await expect(send()).rejects.toThrow(NotSent);
  await clock.sleep(1000);
  expect((await send()).status).toBe(200);
  expect(sentAt).toHaveLength(5);
});

test('waits until something listens and then repeats refused requests, except those sent at one instant', async () => {
  const { send, sentAt } = begin('refused', 'refused', 'refused', fine);
  await expect(send({ patient: false })).rejects.toThrow('nothing listens');
  expect((await send()).status).toBe(200);
  expect(sentAt).toEqual([0, 0, 500, 1000]);
});

test('waits until a gateway does not answer what it let through before, but not for what it never does', async () => {
  const sent = async (awayFrom: number, awayFor: number, path: string) => {
    const clock = virtualClock();
    const startedAt = clock.now();
    const deployment = async (asked: { readonly path: string }) => {
      const since = clock.now() - startedAt - awayFrom;
      const isAway = (since >= 0 && since < awayFor) || asked.path === '/never';
      return { status: isAway ? 502 : 200, headers: {}, body: Buffer.from('') };
    };
    const sender = createSender(deployment, clock, Number.POSITIVE_INFINITY);
    const send = (to: string) =>
      sender.send(
        { operation: 'listModels', caller: 'alice', request: { ...request, method: 'GET', path: to }, patient: true },
        () => {},
      );
    await send('/other');
    await clock.sleep(100);
    return (await send(path)).status;
  };
  expect(await sent(0, 0, '/never')).toBe(502);
  expect(await sent(50, 20_000, '/')).toBe(200);
  await expect(sent(50, 90_000, '/')).rejects.toThrow(Blocked);
});

test('waits a minute for who does not listen, and then no more', async () => {
  const { clock, send, sentAt } = begin('refused');
  const startedAt = clock.now();
  for (let count = 0; count < 3; count += 1) await expect(send()).rejects.toThrow('nothing listens');
  expect(clock.now() - startedAt).toBe(60_000);
  expect(sentAt).toHaveLength(123);
  await expect(send()).rejects.toThrow(NotSent);
});

test.each([
  ['what the deployment says itself', [{ status: 502 }, 'nothing', { status: 401 }] as const, true, 3],
  ['nothing but a gateway', [{ status: 503 }] as const, false, 4],
])('takes %s for what it is after a restart', async (_what, says, isUp, asked) => {
  const { sender, sentAt } = begin(...says);
  expect(await sender.untilUp(request, 2000)).toBe(isUp);
  expect(sentAt).toHaveLength(asked);
});

test('a deployment that answered before, and nothing since, is gone', async () => {
  const clock = virtualClock();
  const read: Exchange = {
    operation: 'listModels',
    caller: 'alice',
    request: { ...request, method: 'GET' },
    sentAt: clock.now(),
    receivedAt: clock.now(),
    outcome: { kind: 'answered', response: { status: 200, headers: {}, body: new Uint8Array() } },
  };
  const silent = async () => Promise.reject(new TransportError('refused', 'nothing listens'));
  const whyGone = async (answered: readonly Exchange[]) => {
    const { send, lifeline } = createSender(silent, clock, Number.POSITIVE_INFINITY, { answered });
    await expect(
      send({ operation: 'listModels', caller: 'alice', request, patient: false }, () => {}),
    ).rejects.toThrow();
    return lifeline.whyGone();
  };
  expect(await whyGone([read])).toMatch(/^the deployment stopped answering during the run: nothing listens/);
  expect(await whyGone([])).toBeUndefined();
});
