import { expect, test } from 'vitest';
import { type Answer, answerOf } from '../core/exchange.ts';
import { errorAnswer } from '../testing/answers/refusing.ts';
import { effectOf, racedOf } from './race.ts';

function answered(status: number): Answer {
  const answer = answerOf({
    operation: 'deleteDataSource',
    caller: 'alice',
    request: { method: 'DELETE', path: '/', headers: {}, timeoutMs: 1 },
    sentAt: 3,
    receivedAt: 7,
    outcome: { kind: 'answered', response: errorAnswer(status) },
  });
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

test.each([
  [199, 'refused'],
  [200, 'done'],
  [299, 'done'],
  [300, 'refused'],
  [404, 'refused'],
  [499, 'refused'],
  [500, 'unknown'],
  [504, 'unknown'],
] as const)('a write that is answered %i is %s', (status, effect) => {
  expect(effectOf({ sentAt: 0, receivedAt: 1, answer: answered(status) })).toBe(effect);
});

test('a write without an answer may have taken effect', () => {
  expect(effectOf({ sentAt: 0, receivedAt: Number.POSITIVE_INFINITY, answer: undefined })).toBe('unknown');
});

test('a request that was answered is part of the history for as long as it took', () => {
  const answer = answered(200);
  expect(racedOf(answer)).toEqual({ sentAt: 3, receivedAt: 7, answer });
});
