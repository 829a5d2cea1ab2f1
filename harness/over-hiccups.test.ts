import { expect, test } from 'vitest';
import { virtualClock } from './clock.ts';
import type { Exchange } from './exchange.ts';
import { createHiccups } from './over-hiccups.ts';

const body = new Uint8Array();
const operations = { GET: 'listModels', POST: 'sendMessage', DELETE: 'deleteDataSource' } as const;
type Method = keyof typeof operations;

function exchangeOf(method: Method, status: number): Exchange {
  return {
    operation: operations[method],
    caller: 'alice',
    request: { method, path: '/', headers: {}, timeoutMs: 1000 },
    sentAt: 0,
    receivedAt: 0,
    outcome:
      status === 0
        ? { kind: 'failed', failure: 'reset', message: 'it broke' }
        : { kind: 'answered', response: { status, headers: {}, body } },
  };
}

async function statusesOf(method: Method, statuses: readonly number[], times = 1) {
  const hiccups = createHiccups(virtualClock());
  let sent = 0;
  const seen: string[] = [];
  let last: Exchange | undefined;
  for (let time = 0; time < times; time += 1) {
    sent = 0;
    const exchange = async () => {
      sent += 1;
      return exchangeOf(method, statuses[sent - 1] ?? 200);
    };
    last = await hiccups.over('listModels', exchange, (_, standing) => void seen.push(standing));
  }
  const outcome = last?.outcome.kind === 'answered' ? last.outcome.response.status : last?.outcome.failure;
  return { sent, outcome, seen };
}

test.each([
  ['an answer of its own', 'GET', [404], { sent: 1, outcome: 404, seen: [] }],
  ['an error of its own', 'GET', [500], { sent: 1, outcome: 500, seen: [] }],
  ['one hiccup', 'GET', [502, 200], { sent: 2, outcome: 200, seen: ['passing'] }],
  ['two hiccups', 'GET', [503, 504, 200], { sent: 3, outcome: 200, seen: ['passing', 'passing'] }],
  ['what is always so', 'GET', [503, 503, 503, 200], { sent: 3, outcome: 503, seen: ['passing', 'passing'] }],
  ['a broken connection, which is judged for itself', 'GET', [0, 200], { sent: 2, outcome: 200, seen: ['final'] }],
  ['a message, which has a key', 'POST', [503, 202], { sent: 2, outcome: 202, seen: ['passing'] }],
  ['a message that was held too long for the gateway', 'POST', [504, 202], { sent: 1, outcome: 504, seen: [] }],
  ['another write, which is never sent again', 'DELETE', [503, 200], { sent: 1, outcome: 503, seen: [] }],
] as const)('takes %s as it should', async (_what, method, statuses, expected) => {
  expect(await statusesOf(method, statuses)).toEqual(expected);
});

test('stops sending again where it never helps', async () => {
  expect(await statusesOf('GET', [503, 503, 503], 4)).toMatchObject({ sent: 1, outcome: 503 });
});
