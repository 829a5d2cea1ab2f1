import { expect, test } from 'vitest';
import { virtualClock } from '../../../core/clock.ts';
import type { Exchange } from '../../../core/exchange.ts';
import { createRetry } from './retry.ts';

const page = new TextEncoder().encode('<html>Bad Gateway</html>');
const errorBody = new TextEncoder().encode('{"error":{"title":"InternalServerError","detail":"It failed."}}');
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
        : { kind: 'answered', response: { status, headers: {}, body: status === 500 ? errorBody : page } },
  };
}

/** A retry for requests after which the deployment is not asked whether it is away. */
function retryAlone() {
  return createRetry(virtualClock(), () => Promise.reject(new Error('asked again')));
}

async function statusesOf(
  method: Method,
  statuses: readonly number[],
  { times = 1, mayRepeat = false, path = '/', tookMs = 0 } = {},
) {
  const retry = retryAlone();
  let sent = 0;
  const seen: string[] = [];
  let last: Exchange | undefined;
  let now = 0;
  for (let time = 0; time < times; time += 1) {
    sent = 0;
    const exchange = async () => {
      sent += 1;
      const sentAt = now;
      now += tookMs;
      return { ...exchangeOf(method, statuses[sent - 1] ?? 200, path), sentAt, receivedAt: now };
    };
    last = await retry.over('listModels', mayRepeat, exchange, (_, standing) => void seen.push(standing));
  }
  const outcome = last?.outcome.kind === 'answered' ? last.outcome.response.status : last?.outcome.failure;
  return { sent, outcome, seen };
}

test.each([
  ['an answer of its own', 'GET', [404], { sent: 1, outcome: 404, seen: [] }],
  ['an error inside', 'GET', [500, 404], { sent: 2, outcome: 404, seen: ['erred'] }],
  ['an error inside that a message met', 'POST', [500, 202], { sent: 2, outcome: 202, seen: ['erred'] }],
  ['an error inside that a raced deletion met', 'DELETE', [500, 200], { sent: 1, outcome: 500, seen: [] }],
  [
    'what always fails inside',
    'GET',
    [500, 500, 500, 500, 200],
    { sent: 4, outcome: 500, seen: Array(3).fill('erred') },
  ],
  ['one transient failure', 'GET', [502, 200], { sent: 2, outcome: 200, seen: ['passing'] }],
  ['two transient failures', 'GET', [503, 504, 200], { sent: 3, outcome: 200, seen: ['passing', 'passing'] }],
  ['what is always so', 'GET', [503, 503, 503, 503, 200], { sent: 4, outcome: 503, seen: Array(3).fill('passing') }],
  ['a broken connection, which is judged for itself', 'GET', [0, 200], { sent: 2, outcome: 200, seen: ['final'] }],
  ['a message, which has a key', 'POST', [503, 202], { sent: 2, outcome: 202, seen: ['passing'] }],
  ['a deletion that is raced', 'DELETE', [503, 200], { sent: 1, outcome: 503, seen: [] }],
] as const)('takes %s as it should', async (_what, method, statuses, expected) => {
  expect(await statusesOf(method, statuses)).toEqual(expected);
});

test('sends a read again each time that the deployment says itself that it is unavailable', async () => {
  const retry = retryAlone();
  const said: (number | undefined)[] = [];
  for (let time = 0; time < 4; time += 1) {
    let sent = 0;
    const exchange = async (): Promise<Exchange> => {
      const status = (sent += 1) === 1 ? 503 : 200;
      return {
        ...exchangeOf('GET', status, '/'),
        outcome: { kind: 'answered', response: { status, headers: {}, body: errorBody } },
      };
    };
    const { outcome } = await retry.over('listModels', false, exchange, () => {});
    said.push(outcome.kind === 'answered' ? outcome.response.status : undefined);
  }
  expect(said).toEqual([200, 200, 200, 200]);
});

test('sends a deletion again that nothing else is timed by, and says so', async () => {
  const done = await statusesOf('DELETE', [504, 404], { mayRepeat: true });
  expect(done).toEqual({ sent: 2, outcome: 404, seen: ['passing'] });
});

test.each([
  ['a message that was held too long for the gateway', [504, 202], '/?wait=5', 3000, { sent: 1, outcome: 504 }],
  ['a message that the gateway gave up at once', [504, 202], '/?wait=5', 10, { sent: 2, outcome: 202 }],
  ['a message that was not held', [504, 202], '/', 3000, { sent: 2, outcome: 202 }],
  ['a message that failed inside early in its wait', [500, 202], '/?wait=10', 1200, { sent: 2, outcome: 202 }],
  ['a message that failed inside late in its wait', [500, 202], '/?wait=2', 1900, { sent: 2, outcome: 202 }],
  ['a message that failed inside late in its wait twice', [500, 500, 202], '/?wait=2', 1900, { sent: 2, outcome: 500 }],
  ['a message whose connection broke', [0, 202], '/?wait=5', 3000, { sent: 2, outcome: 202 }],
  ['a message that the gateway gave up early in its wait', [504, 202], '/?wait=10', 3000, { sent: 2, outcome: 202 }],
  ['a message whose connection broke late', [0, 202], '/?wait=30', 20_000, { sent: 2, outcome: 202 }],
  ['a message whose connection breaks late each time', [0, 0], '/?wait=30', 20_000, { sent: 2, outcome: 'reset' }],
  ['a message whose connection broke late without wait', [0, 202], '/', 20_000, { sent: 1, outcome: 'reset' }],
  ['a message that failed inside after long', [500, 202], '/', 6000, { sent: 2, outcome: 202 }],
  ['a message that fails inside after long each time', [500, 500, 202], '/', 6000, { sent: 2, outcome: 500 }],
  ['a held message that failed inside after long', [500, 202], '/?wait=30', 6000, { sent: 1, outcome: 500 }],
] as const)('takes %s as it should', async (_what, statuses, path, tookMs, expected) => {
  expect(await statusesOf('POST', statuses, { path, tookMs })).toMatchObject(expected);
});

test.each([
  ['once', [0, 200], { sent: 2, outcome: 200 }],
  ['each time', [0, 0, 200], { sent: 2, outcome: 'reset' }],
])('takes a read whose connection breaks after long %s as it should', async (_what, statuses, expected) => {
  expect(await statusesOf('GET', statuses, { tookMs: 6000 })).toMatchObject(expected);
});

const ofTheFirst = { sentAt: 0, tookMs: 3000 };

test.each([
  ['after the same time', ofTheFirst, { sentAt: 9000, tookMs: 3100 }, { sent: 1, outcome: 502 }],
  ['after another time', ofTheFirst, { sentAt: 9000, tookMs: 4000 }, { sent: 2, outcome: 202 }],
  ['at the same time, as in an outage', ofTheFirst, { sentAt: 100, tookMs: 2900 }, { sent: 2, outcome: 202 }],
  ['without being held', { ...ofTheFirst, tookMs: 10 }, { sentAt: 9000, tookMs: 10 }, { sent: 2, outcome: 202 }],
])('takes a second held request that a gateway ends %s as it should', async (_what, first, second, expected) => {
  const retry = retryAlone();
  let sent = 0;
  const send = ({ sentAt, tookMs }: typeof first) => {
    sent = 0;
    const exchange = async (): Promise<Exchange> => {
      sent += 1;
      const answered = exchangeOf('POST', sent === 1 ? 502 : 202, '/?wait=30');
      return { ...answered, sentAt, receivedAt: sentAt + tookMs };
    };
    return retry.over('sendMessage', false, exchange, () => {});
  };
  await send(first);
  const { outcome } = await send(second);
  expect({ sent, outcome: outcome.kind === 'answered' && outcome.response.status }).toEqual(expected);
});

test('sends a few requests again at most that fail inside after long each time', async () => {
  const retry = retryAlone();
  let sent = 0;
  const ask = (path: string, status: number) => {
    const exchange = async (): Promise<Exchange> => {
      sent += 1;
      return { ...exchangeOf('GET', status, path), receivedAt: 6000 };
    };
    return retry.over('listModels', false, exchange, () => {});
  };
  for (let time = 0; time < 100; time += 1) await ask('/', time % 11 === 0 ? 500 : 200);
  expect(sent).toBe(103);
});

test('stops sending again where it never helps', async () => {
  expect(await statusesOf('GET', [503, 503, 503, 503], { times: 4 })).toMatchObject({ sent: 1, outcome: 503 });
});

test.each([
  ['once in a while', [500, ...Array(9).fill(200), 500], 'erred'],
  ['often', [500, 200, 200, 500], undefined],
])('passes an error inside over that comes %s, or not', async (_what, wanted, last) => {
  const retry = retryAlone();
  let seen: string | undefined;
  for (const status of wanted) {
    seen = undefined;
    const answers = [status, 200];
    const exchange = async () => exchangeOf('GET', answers.shift() ?? 200, '/');
    await retry.over('listModels', false, exchange, (_, standing) => void (seen = standing));
  }
  expect(seen).toBe(last);
});

const clock = virtualClock();

type Outcome = 'refused' | 'gateway' | 'maintenance' | 'list' | 'deleted';

function outageExchange(outcome: Outcome, at = clock.now()): Exchange {
  const common = { caller: 'alice', sentAt: at, receivedAt: at };
  const request = { path: '/', headers: {}, timeoutMs: 1000 };
  const answered = (status: number, text: string): Exchange['outcome'] => ({
    kind: 'answered',
    response: { status, headers: {}, body: new TextEncoder().encode(text) },
  });
  const deletion = { ...common, operation: 'deleteDataSource', request: { ...request, method: 'DELETE' } } as const;
  switch (outcome) {
    case 'refused':
      return { ...deletion, outcome: { kind: 'failed', failure: 'refused', message: 'nothing listens' } };
    case 'gateway':
      return { ...deletion, outcome: answered(502, '<html>Bad Gateway</html>') };
    case 'maintenance':
      return { ...deletion, outcome: answered(503, '{"error":{"title":"Maintenance","detail":"Come back soon."}}') };
    case 'deleted':
      return { ...deletion, outcome: answered(404, '{"error":{"title":"NotFound","detail":"It is gone."}}') };
    case 'list':
      return {
        ...common,
        operation: 'listModels',
        request: { ...request, method: 'GET' },
        outcome: answered(200, '{}'),
      };
  }
}

test.each<[string, readonly Outcome[], true | undefined]>([
  ['nothing listened before', ['refused', 'deleted'], undefined],
  ['a gateway had nothing behind it', ['gateway', 'deleted'], true],
  ['a gateway answered first, and then nothing listened', ['gateway', 'refused', 'deleted'], true],
])('reports whether a write may have been carried out: %s', async (_what, outcomes, repeats) => {
  const retry = createRetry(clock, async () => outageExchange('gateway'));
  await retry.over(
    'deleteDataSource',
    true,
    async () => outageExchange('list'),
    () => {},
  );
  const left = [...outcomes];
  const last = await retry.over(
    'deleteDataSource',
    true,
    async () => outageExchange(left.shift() ?? 'deleted'),
    () => {},
  );
  expect(last.outcome).toEqual(outageExchange('deleted').outcome);
  expect(last.repeats).toBe(repeats);
});

test('waits for a deployment that says itself that it is unavailable, while it says so of what it answered before', async () => {
  const clock = virtualClock();
  const startedAt = clock.now();
  const isUp = () => clock.now() - startedAt >= 5000;
  const retry = createRetry(clock, async () => outageExchange(isUp() ? 'list' : 'maintenance', clock.now()));
  const send = (outcome: () => Outcome) =>
    retry.over(
      'deleteDataSource',
      true,
      async () => outageExchange(outcome(), clock.now()),
      () => {},
    );
  await send(() => 'list');
  const last = await send(() => (isUp() ? 'deleted' : 'maintenance'));
  expect(last.outcome).toEqual(outageExchange('deleted').outcome);
});

test('takes 503 for an answer where other requests are answered as before', async () => {
  const retry = createRetry(virtualClock(), async () => outageExchange('list'));
  const send = (outcome: Outcome) =>
    retry.over(
      'deleteDataSource',
      true,
      async () => outageExchange(outcome),
      () => {},
    );
  await send('list');
  expect((await send('maintenance')).outcome).toEqual(outageExchange('maintenance').outcome);
});

test('takes 503 for an answer where it is frequent and other requests are answered as before', async () => {
  const retry = createRetry(virtualClock(), async () => outageExchange('list'));
  const statuses: (number | undefined)[] = [];
  let sent = 0;
  const send = (outcomeOf: () => Outcome) =>
    retry.over(
      'deleteDataSource',
      true,
      async () => outageExchange(outcomeOf()),
      () => {},
    );
  await send(() => 'list');
  for (let times = 0; times < 4; times += 1) {
    const { outcome } = await send(() => ((sent += 1) % 2 === 1 ? 'maintenance' : 'deleted'));
    statuses.push(outcome.kind === 'answered' ? outcome.response.status : undefined);
  }
  // The first one may be an accident.
  expect(statuses).toEqual([404, 503, 404, 503]);
});
