import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Exchange } from '../../core/exchange.ts';
import { Api } from '../../engine/api.ts';
import { noteErrors } from '../../engine/session/errors/internal-errors.ts';
import { createSession } from '../../engine/session/session.ts';
import { Violation } from '../../engine/verdict.ts';
import { createReference } from '../../reference/reference.ts';
import { mayRecur, mustBeAccidents, mustListAtOnce, mustSucceedAtOnce } from './transient-errors.ts';

const paths = {
  listDataSources: ['GET', '/api/public/organizations/o/data-sources'],
  deleteDataSource: ['DELETE', '/api/public/organizations/o/data-sources/d'],
  attachOrganization: ['POST', '/api/public/billing-accounts/b/organizations'],
  sendMessage: ['POST', '/api/public/organizations/o/chats/c/messages'],
} as const;

/** A run in which requests are noted one after the other. */
function run() {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  let now = 0;
  const note = (operation: keyof typeof paths, status: number, body?: string, path?: string): Exchange => {
    const [method, usual] = paths[operation];
    now += 10;
    const exchange: Exchange = {
      operation,
      caller: 'alice',
      request: {
        method,
        path: path ?? usual,
        headers: {},
        timeoutMs: 1,
        ...(body === undefined ? {} : { body }),
      },
      sentAt: now,
      receivedAt: now + 5,
      outcome: {
        kind: 'answered',
        response: { status, headers: {}, body: Buffer.from('{"error":{"title":"x","detail":"y"}}') },
      },
    };
    noteErrors(session, exchange);
    return exchange;
  };
  const times = (count: number, make: (index: number) => void) => {
    for (let index = 0; index < count; index += 1) make(index);
  };
  return { api: new Api(session, 'test'), note, times };
}

function isAccused(judge: () => void): boolean {
  try {
    judge();
    return false;
  } catch (error) {
    if (error instanceof Violation) return true;
    throw error;
  }
}

test.each([
  [true, 'two of four, where others never fail', 4, [500, 500], 1000, 0],
  [false, 'two of four, where others are too few to tell', 4, [500, 500], 400, 0],
  [true, 'two of two, where others are as few', 2, [500, 500], 400, 0],
  [false, 'one of four', 4, [500], 100_000, 0],
  [false, 'two of four, where others fail as well', 4, [500, 500], 1000, 4],
  [false, 'four of four, where most others fail', 4, [500, 500, 500, 500], 100, 60],
  [true, 'four of four, where some others fail', 4, [500, 500, 500, 500], 1000, 40],
  [false, 'two of four that are overloaded', 4, [503, 503], 1000, 0],
  [false, 'none', 4, [], 1000, 0],
] as const)('an accusation, %s: %s lists after a deletion', (expected, _what, deletions, statuses, others, erred) => {
  const { api, note, times } = run();
  times(others, (index) => note('listDataSources', index < erred ? 500 : 200));
  times(deletions, (index) => {
    note('deleteDataSource', 200);
    note('listDataSources', statuses[index] ?? 200);
    note('listDataSources', 200);
  });
  expect(isAccused(() => mustListAtOnce(api))).toBe(expected);
});

test('an error in the list of another organization, or before the deletion, is not one after it', () => {
  const { api, note, times } = run();
  times(1000, () => note('listDataSources', 200));
  times(4, () => {
    note('listDataSources', 500);
    note('deleteDataSource', 200);
    note('listDataSources', 500, undefined, '/api/public/organizations/p/data-sources');
    note('listDataSources', 200);
    note('listDataSources', 500);
  });
  expect(isAccused(() => mustListAtOnce(api))).toBe(false);
});

test.each([
  [true, 'twice before they succeed', [500, 200], 2],
  [false, 'once', [500, 200], 1],
  [false, 'only after they succeeded', [200, 500], 2],
  [false, 'where they never succeed', [500, 500], 2],
  [false, 'by an overload', [503, 200], 2],
] as const)('an accusation, %s: attachments fail %s', (expected, _what, statuses, count) => {
  const { api, note, times } = run();
  times(5000, (index) => note('attachOrganization', 404, `{"organizationId":"unknown${index % 50}"}`));
  times(count, (index) => {
    for (const status of statuses) note('attachOrganization', status, `{"organizationId":"o${index}"}`);
  });
  expect(isAccused(() => mustSucceedAtOnce(api, 'attachOrganization'))).toBe(expected);
});

test.each([
  [false, 'a round without an error', [1, 0], 8, 10_000],
  [true, 'one error a round, where others never fail', [1, 1], 8, 10_000],
  [false, 'one error a round, where others are too few', [1, 1], 8, 1000],
  [true, 'one error in each of six rounds, where others are as few', [1, 1, 1, 1, 1, 1], 8, 1000],
  [true, 'most of each round', [5, 5], 8, 0],
  [false, 'half of each round', [4, 4], 8, 0],
] as const)('an accusation, %s: simultaneous requests with %s', (expected, _what, errors, count, others) => {
  const { api, note, times } = run();
  times(others, () => note('sendMessage', 200));
  const played = errors.map((some) => {
    times(count - some, () => note('sendMessage', 409));
    return Array.from({ length: some }, () => note('sendMessage', 500));
  });
  expect(isAccused(() => mustBeAccidents(api, 'sendMessage', played, count, '409'))).toBe(expected);
});

test.each([
  [true, []],
  [true, [0]],
  [false, [0, 1]],
  [true, [1, 1]],
  [true, [1, 1, 1, 1, 1]],
  [false, [1, 1, 1, 1, 1, 1]],
] as const)('another round, %s: errors of each were %j', (expected, errors) => {
  const { note } = run();
  expect(mayRecur(errors.map((some) => Array.from({ length: some }, () => note('sendMessage', 500))))).toBe(expected);
});
