import { expect, test } from 'vitest';
import type { Exchange } from '../../../core/exchange.ts';
import { virtualClock } from '../../../core/clock.ts';
import type { Operation } from '../../../spec/requirement.ts';
import { createReference } from '../../../reference/reference.ts';
import { errorAnswer } from '../../../testing/answers/refusing.ts';
import { errorsOf, listsAfterDeletions, noteErrors, writesOf } from './internal-errors.ts';
import { createSession } from '../session.ts';

function begin() {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  return createSession({ deployment, target, clock, seed: 1, invariants: [] });
}

type Sent = { readonly path?: string; readonly body?: string; readonly sentAt?: number; readonly receivedAt?: number };

/** An answered request; without a status, one that got no answer. */
function exchange(
  operation: Operation,
  status?: number,
  { path = '/', body, sentAt = 0, receivedAt = sentAt + 10 }: Sent = {},
): Exchange {
  return {
    operation,
    caller: 'alice',
    request: { method: 'POST', path, headers: {}, timeoutMs: 1, ...(body === undefined ? {} : { body }) },
    sentAt,
    receivedAt,
    outcome:
      status === undefined
        ? { kind: 'failed', failure: 'timeout', message: 'no answer' }
        : { kind: 'answered', response: errorAnswer(status) },
  };
}

test('a 5xx is an error of its operation', () => {
  const session = begin();
  expect(errorsOf(session, 'listModels')).toEqual({ requests: 0, errors: 0, broken: 0 });
  for (const status of [200, 404, 499, 500, 503, undefined]) noteErrors(session, exchange('listModels', status));
  expect(errorsOf(session, 'listModels')).toEqual({ requests: 6, errors: 2, broken: 0 });
  expect(errorsOf(session, 'listDataSources')).toEqual({ requests: 0, errors: 0, broken: 0 });
});

test('an answer that is cut off or that is no HTTP is broken, and a missing one is not', () => {
  const session = begin();
  for (const failure of ['truncated', 'malformed', 'reset', 'timeout'] as const) {
    noteErrors(session, { ...exchange('listModels'), outcome: { kind: 'failed', failure, message: 'no answer' } });
  }
  expect(errorsOf(session, 'listModels')).toEqual({ requests: 4, errors: 0, broken: 2 });
});

test.each([
  ['accepted', [200], 1, undefined],
  ['refused', [400], 0, undefined],
  ['never answered', [undefined], 0, undefined],
  ['accepted after an internal error', [500, 500, 200], 1, 0],
  ['accepted after a refusal and an internal error', [409, 500, 200], 1, 1],
  ['accepted after it was too busy', [503, 200], 1, undefined],
  ['accepted, and answered by an internal error later', [200, 500], 1, undefined],
  ['accepted, and answered by an internal error at the same time', [200, 500], 1, 1, 5],
] as const)('an attachment that is %s', (_what, statuses, made, erred, distanceMs: number = 20) => {
  const session = begin();
  const sent = statuses.map((status, index) =>
    exchange('attachOrganization', status, { path: '/a', body: '{}', sentAt: index * distanceMs }),
  );
  for (const one of sent) noteErrors(session, one);
  expect(writesOf(session, 'attachOrganization')).toHaveLength(made);
  expect(writesOf(session, 'attachOrganization')[0]?.erred).toBe(erred === undefined ? undefined : sent[erred]);
});

test.each([
  ['the caller reads that it is gone', 'alice', 404, 1],
  ['another caller is refused', 'bob', 404, 0],
  ['the caller is refused', 'alice', 403, 0],
] as const)('a deletion that ended in an internal error, and then %s', (_what, caller, status, made) => {
  const session = begin();
  const erred = exchange('deleteDataSource', 500);
  for (const one of [erred, { ...exchange('deleteDataSource', status), caller }]) noteErrors(session, one);
  expect(writesOf(session, 'deleteDataSource')).toEqual(made === 0 ? [] : [expect.objectContaining({ erred })]);
});

test('attachments differ in their account or their organization, and a thousand are remembered', () => {
  const session = begin();
  noteErrors(session, exchange('attachOrganization', 500, { path: '/a', body: '1' }));
  noteErrors(session, exchange('attachOrganization', 200, { path: '/a', body: '2' }));
  noteErrors(session, exchange('attachOrganization', 200, { path: '/b', body: '1' }));
  noteErrors(session, exchange('listModels', 200, { path: '/a', body: '3' }));
  expect(writesOf(session, 'attachOrganization').map(({ erred }) => erred)).toEqual([undefined, undefined]);
  for (let count = 0; count < 1005; count += 1) {
    noteErrors(session, exchange('attachOrganization', 200, { path: '/c', body: `${count}` }));
  }
  expect(writesOf(session, 'attachOrganization')).toHaveLength(999);
});

const here = '/api/public/organizations/org/data-sources';
const elsewhere = '/api/public/organizations/other/data-sources';

const deletion = (status: number, sentAt: number): Exchange =>
  exchange('deleteDataSource', status, { path: `${here}/one`, sentAt });
const list = (status: number, sentAt: number, path = here): Exchange =>
  exchange('listDataSources', status, { path, sentAt });

test.each([
  ['the first list after a deletion', [deletion(200, 0), list(200, 20), list(500, 40)], 1, []],
  ['its internal error', [deletion(200, 0), list(500, 20), list(500, 40)], 1, [1]],
  ['no other error', [deletion(200, 0), list(503, 20)], 1, []],
  ['a list that was sent meanwhile, and the one after it', [deletion(200, 0), list(500, 5), list(500, 20)], 2, [1, 2]],
  ['a list that ended meanwhile', [list(500, -5), deletion(200, 0)], 1, [0]],
  ['no list that ended before', [list(500, -20), deletion(200, 0)], 0, []],
  ['no list of another organization', [deletion(200, 0), list(500, 20, `${elsewhere}?limit=1`)], 0, []],
  ['nothing after a deletion that was refused', [deletion(404, 0), list(500, 20)], 0, []],
] as const)('of lists, %s counts', (_what, exchanges, lists, erred) => {
  const session = begin();
  for (const one of exchanges) noteErrors(session, one);
  expect(listsAfterDeletions(session)).toEqual({ lists, erred: erred.map((place) => exchanges[place]) });
});
