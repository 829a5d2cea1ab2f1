import { expect, test } from 'vitest';
import { plainTarget } from '../../../testing/samples/plain-target.ts';
import type { Principal } from '../../../core/target.ts';
import type { Outcome } from '../../measure/outcome.ts';
import { type LoadRequest, messageRequest } from '../../schedule/load-request.ts';
import type { Planned } from '../../schedule/request-plan.ts';
import { judgeFollowed } from './followed-message.ts';
import type { Ended } from './judged.ts';
import { repeatMessages } from './repeat-messages.ts';

const keyHeader = 'idempotency-key';
const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };
const target = plainTarget({
  principals: [alice],
  idempotencyHeader: keyHeader,
  allow: new Set(['load', 'messages']),
});

type Answer = { readonly outcome: Outcome; readonly ids?: string };
type Asked = { readonly key: string; readonly sentAt: number };

/** Sends 2,000 requests, one in 10 ms, to one chat, of which each is answered at once. */
async function judged(answer: (asked: Asked) => Answer, earlier: readonly string[] = []) {
  let now = 0;
  let isTaken = false;
  const keys = new Set(earlier);
  const plan = {
    at(index: number): Planned {
      if (isTaken) return { kind: 'dropped', operation: 'sendMessage' };
      isTaken = true;
      const done = (outcome: unknown) => void (isTaken = outcome === 202);
      return { kind: 'request', request: requestOf(`key-${index}`), done };
    },
  };
  const messages = repeatMessages({ plan, keyHeader, seed: 1, earlier: earlier.map(sentBefore), now: () => now });
  function sentBefore(key: string): Ended {
    const sentAt = -5000;
    return { request: requestOf(key), arrived: arrivedOf(answer({ key, sentAt })), sentAt, endedAt: sentAt + 1 };
  }

  for (let index = 0; index < 2000; index += 1) {
    now += 10;
    const planned = messages.at(index);
    if (planned.kind === 'dropped') continue;
    const { request } = planned;
    const key = request.request.headers[keyHeader] ?? '';
    expect(request.sure).toBe(keys.has(key) ? undefined : 'new key');
    keys.add(key);
    const arrived = arrivedOf(answer({ key, sentAt: now }));
    planned.done(arrived.outcome, arrived.body);
    messages.listener(request, arrived, { sentAt: now, endedAt: now + 1, isWarmUp: false });
  }
  const { kept, breaks } = await judgeFollowed(messages.followed, target.limits);
  return { kept: Object.fromEntries(kept), broke: [...new Set(breaks.map(({ requirement }) => requirement))], breaks };
}

function requestOf(key: string): LoadRequest {
  const chat = { organizationId: 'org', chatId: 'c', admin: alice };
  const message = { text: 'quick', key, waitSeconds: undefined, timeoutMs: 1000 };
  return { ...messageRequest(target, chat, message), sure: 'new key' };
}

function arrivedOf({ outcome, ids = '' }: Answer): Ended['arrived'] {
  const data = { chat: { id: 'c' }, userMessage: { id: `u${ids}` }, assistantMessage: { id: `a${ids}` } };
  const body = [Buffer.from(JSON.stringify(outcome === 200 || outcome === 202 ? { data } : {}))];
  return { outcome, headers: () => ({ 'content-type': 'application/json' }), body };
}

/** One response at a time, each of two seconds, and keys that are remembered. */
function rightChat({ isRefusing = true, remembers = true, tookMs = 2000, showsEnd = true } = {}) {
  const known = new Map<string, number>();
  let busyUntil = -Infinity;
  return ({ key, sentAt }: Asked): Answer => {
    const acceptedAt = remembers ? known.get(key) : undefined;
    if (acceptedAt === undefined && isRefusing && sentAt < busyUntil) return { outcome: 409 };
    if (acceptedAt === undefined) {
      known.set(key, sentAt);
      busyUntil = sentAt + tookMs;
    }
    const from = acceptedAt ?? sentAt;
    return { outcome: sentAt < from + tookMs || !showsEnd ? 202 : 200, ids: `${key}${remembers ? '' : sentAt}` };
  };
}

test('a right chat keeps every requirement, and stays in use', async () => {
  const { kept, broke } = await judged(rightChat());
  expect(broke).toEqual([]);
  expect(kept['idempotency.while-generating']).toBeGreaterThan(5);
  expect(kept['idempotency.after']).toBeGreaterThan(5);
  expect(kept['conflict.refused']).toBeGreaterThan(3);
});

test('a chat that forgets keys is found', async () => {
  const { broke, breaks } = await judged(rightChat({ remembers: false }));
  expect(broke).toContain('idempotency.while-generating');
  expect(breaks[0]?.exchanges).toHaveLength(2);
});

test('a chat that takes a message while another is being answered is found', async () => {
  const { broke, breaks } = await judged(rightChat({ isRefusing: false }));
  expect(broke).toEqual(['conflict.refused']);
  expect(breaks[0]?.exchanges.length).toBeGreaterThan(2);
});

test('a message of an earlier trial is repeated, so a response may take longer than a trial', async () => {
  const slow = { tookMs: 22_000 };
  expect((await judged(rightChat(slow))).kept['idempotency.after']).toBeUndefined();
  const { broke, kept } = await judged(rightChat(slow), ['earlier']);
  expect(broke).toEqual([]);
  expect(kept['idempotency.after']).toBeGreaterThan(0);
});

test('a chat that accepts the next message shows that the response before it was finished', async () => {
  const { broke, kept } = await judged(rightChat({ showsEnd: false }), ['earlier']);
  expect(broke).toEqual([]);
  expect(kept['idempotency.after']).toBeGreaterThan(0);
});

test.each([429, 503, 'timeout', 'reset'] as const)('%s on every third request says nothing', async (outcome) => {
  const chat = rightChat();
  let count = 0;
  const { broke } = await judged((asked) => ((count += 1) % 3 === 0 ? { outcome } : chat(asked)));
  expect(broke).toEqual([]);
});
