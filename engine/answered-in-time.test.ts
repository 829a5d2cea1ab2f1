import { expect, test } from 'vitest';
import { answeredInTime } from './answered-in-time.ts';
import { NotSent } from './session/unanswered/breaker.ts';
import { TransportError } from '../core/http.ts';
import { Blocked, Violation } from './verdict.ts';

const fails = (error: Error) => answeredInTime('200 in time', () => Promise.reject(error));

test('an answer that never arrived breaks the promise', async () => {
  await expect(fails(new TransportError('timeout', 'no answer in 20 s'))).rejects.toThrow(Violation);
});

test.each([
  ['a broken connection', new TransportError('reset', 'it broke')],
  ['what was not sent', new NotSent('timeout', 'not sent')],
  ['a stage that is missing', new Blocked('no chat')],
])('%s breaks none', async (_what, error) => {
  await expect(fails(error)).rejects.toBe(error);
});

test('an answer is handed on', async () => {
  expect(await answeredInTime('200 in time', async () => 200)).toBe(200);
});
