import { expect, test } from 'vitest';
import { type Answer, answerOf } from '../../core/exchange.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { onceLimited } from './limited-writes.ts';

/** The answers to requests that take no time, or some: a limit for some seconds, or none. */
function answered(retryAfter: string | undefined, tookMs = 0): Answer {
  const response = retryAfter === undefined ? errorAnswer(404) : errorAnswer(429, { 'retry-after': retryAfter });
  const answer = answerOf({
    operation: 'sendMessage',
    caller: 'alice',
    request: { method: 'POST', path: '/', headers: {}, timeoutMs: 1 },
    sentAt: 0,
    receivedAt: tookMs,
    outcome: { kind: 'answered', response },
  });
  if (answer === undefined) throw new Error('it is answered');
  return answer;
}

/** What comes of a write where that many harmless requests are refused first, and how many of these were sent. */
async function limitedFor(refusals: number, retryAfter: string) {
  let harmless = 0;
  let real = 0;
  const answer = await onceLimited(
    {
      what: 'a write',
      looks: [],
      harmless: async (gate) => {
        await gate?.();
        harmless += 1;
        return answered(harmless <= refusals ? retryAfter : undefined);
      },
      real: async (gate) => {
        await gate?.();
        real += 1;
        return answered(retryAfter);
      },
      passed: () => {},
    },
    'met',
  );
  return { status: answer?.status, harmless, real };
}

test('a write goes out alone into a limit that holds, after one look at it', async () => {
  expect(await limitedFor(100, '1')).toEqual({ status: 429, harmless: 9, real: 1 });
});

test('a write goes out among many requests into a limit that refills at once', async () => {
  expect(await limitedFor(100, '0.1')).toEqual({ status: 429, harmless: 37, real: 1 });
});

test('a write is not sent where the limit is over', async () => {
  expect(await limitedFor(1, '0.1')).toMatchObject({ status: undefined, real: 0 });
});

test.each([
  ['long enough', 100, 429],
  ['too short', 900, undefined],
] as const)(
  'a limit that must be held for longer than an answer takes, where that is %s',
  async (_what, tookMs, status) => {
    const send = async () => answered('1', tookMs);
    const write = { what: 'a write', looks: [], harmless: send, real: send, passed: () => {} };
    expect((await onceLimited(write, 'held'))?.status).toBe(status);
  },
);
