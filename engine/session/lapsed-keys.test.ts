import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Exchange } from '../../core/exchange.ts';
import { createReference } from '../../reference/reference.ts';
import { lapsesOf, noteKeys } from './lapsed-keys.ts';
import { createSession } from './session.ts';

type Sent = {
  readonly key?: string;
  readonly path?: string;
  readonly operation?: Exchange['operation'];
  readonly body?: string;
};

const errorBody = '{"error":{"title":"Refused","detail":"by a test"}}';

/** How often a key lapsed in a run that saw these answers in turn. */
function lapsesAfter(statuses: readonly number[], sentAs: (index: number) => Sent = () => ({})): number {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const own = target.principals.find(({ name }) => name === 'alice')?.key ?? '';
  for (const [index, status] of statuses.entries()) {
    const { key = own, path = '/models', operation = 'listModels', body = errorBody } = sentAs(index);
    noteKeys(session, {
      operation,
      caller: 'alice',
      request: { method: 'GET', path, headers: { authorization: `Bearer ${key}` }, timeoutMs: 1 },
      sentAt: index,
      receivedAt: index,
      outcome: { kind: 'answered', response: { status, headers: {}, body: Buffer.from(body) } },
    });
  }
  return lapsesOf(session).length;
}

test.each<[number, string, readonly number[], ((index: number) => Sent)?]>([
  [1, 'refused once', [200, 401, 200]],
  [1, 'refused twice in a row', [200, 401, 401, 200]],
  [2, 'refused twice', [200, 401, 200, 401, 200]],
  [1, 'refused for another page', [200, 401, 200], (index) => ({ path: `/models?limit=${index + 1}` })],
  [1, 'denied once', [200, 403, 200]],
  [1, 'not found once', [200, 404, 200], () => ({ path: '/models?limit=1' })],
  [
    0,
    'a cursor that is not found',
    [200, 404, 200],
    (index) => ({ path: index === 1 ? '/models?cursor=a' : '/models' }),
  ],
  [0, 'refused by a firewall', [200, 403, 200], () => ({ body: '<html>Forbidden</html>' })],
  [0, 'a wrong limit', [200, 404, 200], (index) => ({ path: index === 1 ? '/models?limit=0' : '/models' })],
  [0, 'a limit given twice', [200, 404, 200], () => ({ path: '/models?limit=1&limit=2' })],
  [0, 'a filter that is not found', [200, 404, 200], () => ({ path: '/models?limit=1&databaseConnectionId=a' })],
  [0, 'not accepted before', [401, 200]],
  [0, 'not accepted any more', [200, 401]],
  [0, 'limited', [200, 429, 200]],
  [0, 'refused elsewhere', [200, 401, 200], (index) => ({ path: index === 1 ? '/others' : '/models' })],
  [0, 'another key', [200, 401, 200], (index) => (index === 1 ? { key: 'wrong' } : {})],
  [0, 'a deletion', [200, 401, 200], () => ({ operation: 'deleteDataSource' })],
])('it lapses %i times: %s', (count, _how, statuses, sentAs) => {
  expect(lapsesAfter(statuses, sentAs)).toBe(count);
});
