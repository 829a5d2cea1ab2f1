import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Exchange } from '../../core/exchange.ts';
import { createOutages } from './outages.ts';

const clock = virtualClock();

type Outcome = 'refused' | 'gateway' | 'list' | 'deleted';

function exchangeOf(outcome: Outcome, at = clock.now()): Exchange {
  const common = { caller: 'alice', sentAt: at, receivedAt: at };
  const request = { path: '/', headers: {}, timeoutMs: 1000 };
  const answered = (status: number, text: string): Exchange['outcome'] => ({
    kind: 'answered',
    response: { status, headers: {}, body: new TextEncoder().encode(text) },
  });
  const deletion = { ...common, operation: 'deleteDataSource', request: { ...request, method: 'DELETE' } } as const;
  switch (outcome) {
    case 'refused':
      return { ...deletion, outcome: { kind: 'failed', failure: 'refused', message: 'nobody listens' } };
    case 'gateway':
      return { ...deletion, outcome: answered(502, '<html>Bad Gateway</html>') };
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
  ['nobody listened before', ['refused', 'deleted'], undefined],
  ['a gateway had nobody behind it', ['gateway', 'deleted'], true],
  ['a gateway came first, and then nobody', ['gateway', 'refused', 'deleted'], true],
])('where %s, whether a write may have been carried out is told', async (_what, outcomes, repeats) => {
  const outages = createOutages(clock, async () => exchangeOf('gateway'));
  await outages.over(
    async () => exchangeOf('list'),
    () => {},
  );
  const left = [...outcomes];
  const last = await outages.over(
    async () => exchangeOf(left.shift() ?? 'deleted'),
    () => {},
  );
  expect(last.outcome).toEqual(exchangeOf('deleted').outcome);
  expect(last.repeats).toBe(repeats);
});
