import { expect, test } from 'vitest';
import { type Answer, answerOf, type Exchange } from '../core/exchange.ts';
import { cursorReachesTheRest, deletedRecord } from './deletion.ts';

/** The answer to the deletion of d. */
function deleted(createdAt: string): Answer {
  return answered('deleteDataSource', '/d', { data: { id: 'd', createdAt } });
}

function answered(operation: 'deleteDataSource' | 'listDataSources', rest: string, json: object): Answer {
  const path = `/api/public/organizations/o/data-sources${rest}`;
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify(json));
  const method = operation === 'deleteDataSource' ? 'DELETE' : 'GET';
  const exchange: Exchange = {
    operation,
    caller: 'alice',
    request: { method, path, headers: {}, timeoutMs: 1 },
    sentAt: 0,
    receivedAt: 0,
    outcome: { kind: 'answered', response: { status: 200, headers, body } },
  };
  const answer = answerOf(exchange);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

test.each([
  [true, '2026-01-15T12:30Z', '2026-01-15T12:30:48.250Z'],
  [true, '2026-01-15T12:30:48Z', '2026-01-15T13:30:48.999+01:00'],
  [false, '2026-01-15T12:30Z', '2026-01-15T12:32:48.250Z'],
  [false, '2026-01-15T12:30:48Z', '2026-01-15T12:30:50Z'],
])(
  'it is the same record, %s: created at %s in the list, and at %s in the answer to the deletion',
  (isKept, listed, shown) => {
    const judgement = deletedRecord.judge({ answer: deleted(shown), listed: { id: 'd', createdAt: listed } });
    expect(judgement === 'kept').toBe(isKept);
  },
);

/** Data sources by the minute in which they were created: a and b were created at the same time. */
const minutes = { z: 50, a: 20, b: 20, c: 10 } as const;

test.each([
  ['kept', 30, ['a', 'b', 'c'], false],
  ['kept', 30, ['b', 'a'], true],
  ['left open', 30, ['b'], true],
  ['broken', 30, ['b', 'c'], true],
  ['broken', 30, ['b'], false],
  ['broken', 30, ['c'], false],
  ['broken', 30, [], false],
  ['left open', 20, ['b', 'c'], false],
] as const)(
  'that the page after a deleted item reaches a is %s: created at %i, followed by %j',
  (as, at, ids, hasMore) => {
    const time = (minute: number): string => `2026-01-15T12:${minute}:00Z`;
    const itemOf = (id: keyof typeof minutes) => ({ id, createdAt: time(minutes[id]) });
    const answer = answered('listDataSources', '?cursor=d', {
      data: ids.map(itemOf),
      pagination: { nextCursor: hasMore ? ids.at(-1) : null, hasMore },
    });
    const next = { ...itemOf('a'), record: itemOf('a') };
    const judgement = cursorReachesTheRest.judge({ deleted: deleted(time(at)), answer, next });
    expect(judgement === 'kept').toBe(as !== 'broken');
  },
);
