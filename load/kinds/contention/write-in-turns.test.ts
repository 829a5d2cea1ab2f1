import { expect, test } from 'vitest';
import { writeInTurns } from './write-in-turns.ts';

const chats = [
  { organizationId: 'org', chatId: 'chat', admin: { name: 'alice', key: 'k', variable: '$A', adminOf: ['org'] } },
];

/** What one writer gets through whose attempts end like that, at milliseconds after the start. Then the run is ended. */
async function written(durationMs: number, ends: readonly (readonly [outcome: number, afterMs: number])[]) {
  const ending = new AbortController();
  const startAt = performance.now();
  const left = [...ends];
  const facts = await writeInTurns(
    {
      startAt,
      signal: ending.signal,
      target: { assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 1 } },
      async write() {
        const [outcome, afterMs] = left.shift() ?? [0, 1];
        if (outcome === 0) ending.abort();
        return { arrived: { outcome, headers: () => ({}), body: [] }, sentAt: startAt, endedAt: startAt + afterMs };
      },
    },
    chats,
    1,
    durationMs,
    1,
  );
  return facts.map(({ value }) => value);
}

const minuteMs = 60_000;

test.each([202, 409])(
  'an attempt that is answered with %i after the measured time counts in nothing',
  async (outcome) => {
    const [rate, fairness] = await written(minuteMs, [[outcome, minuteMs]]);
    expect(rate).toBe('0.0 a second in 1 chats, answered within the measured time; 0 attempts refused');
    expect(fairness).toContain('0 messages were answered within the measured time');
  },
);

test('a load that is ended early has the rate of the time that it took, without the attempt that was given up', async () => {
  const [rate = '', fairness] = await written(minuteMs, [
    [202, 1],
    [409, 2],
  ]);
  expect(Number.parseFloat(rate)).toBeGreaterThan(1 / 60);
  expect(rate).toContain(' 1 attempts refused');
  expect(fairness).toContain('1 to 1 for each of 1 writers');
});
