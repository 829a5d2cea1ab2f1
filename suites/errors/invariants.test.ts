import { expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import type { TransportFailure } from '../../core/http.ts';
import { Violation } from '../../engine/verdict.ts';
import { invariants } from './invariants.ts';

const answered = invariants.find(({ requirement }) => requirement === 'robustness.answered');

function verdictOn(outcome: Exchange['outcome'], path = '/') {
  const request = { method: 'GET', path, headers: {}, timeoutMs: 1000 } as const;
  const times = { sentAt: 0, receivedAt: 1 };
  return answered?.judge({ operation: 'listModels', caller: 'alice', request, ...times, outcome }, undefined);
}

test('an answer is one', () => {
  expect(verdictOn({ kind: 'answered', response: { status: 500, headers: {}, body: new Uint8Array() } })).toBe('kept');
});

test.each<[TransportFailure, boolean]>([
  ['refused', false],
  ['too-large', false],
  ['reset', true],
  ['truncated', true],
  ['malformed', true],
  ['timeout', true],
])('%s breaks the promise to answer: %s', (failure, breaks) => {
  const verdict = verdictOn({ kind: 'failed', failure, message: 'so it was' });
  if (breaks) expect(verdict).toBeInstanceOf(Violation);
  else expect(verdict).toBeUndefined();
});

test.each([
  ['1', true],
  ['300', false],
  ['301', true],
])('no answer to wait=%s within a second breaks the promise to answer: %s', (wait, breaks) => {
  const verdict = verdictOn({ kind: 'failed', failure: 'timeout', message: 'so it was' }, `/?wait=${wait}`);
  if (breaks) expect(verdict).toBeInstanceOf(Violation);
  else expect(verdict).toBeUndefined();
});
