import { expect, test } from 'vitest';
import { virtualClock } from './clock.ts';
import type { Exchange } from './exchange.ts';
import { createHiccups } from './over-hiccups.ts';

const body = new Uint8Array();
const operations = { GET: 'listModels', POST: 'sendMessage', DELETE: 'deleteDataSource' } as const;
type Method = keyof typeof operations;

function exchangeOf(method: Method, status: number, path: string): Exchange {
  return {
    operation: operations[method],
    caller: 'alice',
    request: { method, path, headers: {}, timeoutMs: 1000 },
    sentAt: 0,
    receivedAt: 0,
    outcome:
      status === 0
        ? { kind: 'failed', failure: 'reset', message: 'it broke' }
        : { kind: 'answered', response: { status, headers: {}, body } },
  };
}

async function statusesOf(
  method: Method,
  statuses: readonly number[],
  { times = 1, mayRepeat = false, path = '/' } = {},
) {
  const hiccups = createHiccups(virtualClock());
  let sent = 0;
  const seen: string[] = [];
  let last: Exchange | undefined;
  for (let time = 0; time < times; time += 1) {
    sent = 0;
    const exchange = async () => {
      sent += 1;
      return exchangeOf(method, statuses[sent - 1] ?? 200, path);
    };
    last = await hiccups.over('listModels', mayRepeat, exchange, (_, standing) => void seen.push(standing));
  }
  const outcome = last?.outcome.kind === 'answered' ? last.outcome.response.status : last?.outcome.failure;
  return { sent, outcome, seen };
}

test.each([
  ['an answer of its own', 'GET', [404], { sent: 1, outcome: 404, seen: [] }],
  ['an error of its own', 'GET', [500], { sent: 1, outcome: 500, seen: [] }],
  ['one hiccup', 'GET', [502, 200], { sent: 2, outcome: 200, seen: ['passing'] }],
  ['two hiccups', 'GET', [503, 504, 200], { sent: 3, outcome: 200, seen: ['passing', 'passing'] }],
  ['what is always so', 'GET', [503, 503, 503, 503, 200], { sent: 4, outcome: 503, seen: Array(3).fill('passing') }],
  ['a broken connection, which is judged for itself', 'GET', [0, 200], { sent: 2, outcome: 200, seen: ['final'] }],
  ['a message, which has a key', 'POST', [503, 202], { sent: 2, outcome: 202, seen: ['passing'] }],
  ['a deletion that is raced', 'DELETE', [503, 200], { sent: 1, outcome: 503, seen: [] }],
] as const)('takes %s as it should', async (_what, method, statuses, expected) => {
  expect(await statusesOf(method, statuses)).toEqual(expected);
});

test('sends a deletion again that nothing else is timed by, and says so', async () => {
  const done = await statusesOf('DELETE', [504, 404], { mayRepeat: true });
  expect(done).toEqual({ sent: 2, outcome: 404, seen: ['passing'] });
});

test.each([
  ['a message that was held too long for the gateway', '/?wait=5', { sent: 1, outcome: 504, seen: [] }],
  ['a message that was not held', '/', { sent: 2, outcome: 202, seen: ['passing'] }],
])('takes %s as it should', async (_what, path, expected) => {
  expect(await statusesOf('POST', [504, 202], { path })).toEqual(expected);
});

test('stops sending again where it never helps', async () => {
  expect(await statusesOf('GET', [503, 503, 503, 503], { times: 4 })).toMatchObject({ sent: 1, outcome: 503 });
});
