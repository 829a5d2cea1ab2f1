import { expect, test } from 'vitest';
import { answerOf, type Exchange } from '../core/exchange.ts';
import { deletedRecord } from './deletion.ts';

/** The answer to the deletion of d. */
function deleted(createdAt: string) {
  const path = '/api/public/organizations/o/data-sources/d';
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify({ data: { id: 'd', createdAt } }));
  const exchange: Exchange = {
    operation: 'deleteDataSource',
    caller: 'alice',
    request: { method: 'DELETE', path, headers: {}, timeoutMs: 1 },
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
