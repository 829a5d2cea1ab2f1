import { expect, test } from 'vitest';
import { realClock } from '../../core/clock.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { createReference } from '../../reference/reference.ts';
import { serveEntryPoints } from '../../reference/http/serve-entry-points.ts';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { mostAtOnce } from './contention/race-for-chat.ts';
import { evenIndex, fairnessFact, jainIndex, leastMessages } from './contention/fairness.ts';

const profile = parseProfile(
  [
    'question: One at a time?',
    'load: { contention: { writers: 4, chats: 1, storm: 20 } }',
    'duration: 400ms',
    'validate: 0%',
  ].join('\n'),
  'contention.yaml',
  {},
);

async function run(faults: readonly string[], nodes: Readonly<Record<string, string>> = {}): Promise<LoadRecord> {
  const choices = { 'rate-quota': 'none', ...nodes };
  const reference = createReference({ clock: realClock, seed: 1, latencyMs: [0, 0], faults, choices });
  const server = await serveEntryPoints(reference, { port: 0, host: '127.0.0.1' });
  try {
    return await profile.load.run(profile, plainOptions(server.target));
  } finally {
    await server.close();
  }
}

test.concurrent('a deployment that takes one message at a time passes', async () => {
  const record = loadRecordSchema.parse(await run([]));
  expect(record.facts.map(({ name }) => name)).toEqual([
    'accepted messages',
    'fairness',
    'one message for a key',
    'one response at a time',
  ]);
  expect(record.facts.filter(({ verdict }) => verdict === 'bad')).toEqual([]);
  // The storm of 20 and the race of 4 follow the measured part: they count for the operation, but in no slice.
  const sent = record.operations[0]?.sent ?? 0;
  expect(record.slices.reduce((sum, { due }) => sum + due, 0)).toBeLessThanOrEqual(sent - 24);
  expect(record.sentence).toMatch(
    /one message for a key, one response at a time, (?:fairness [01]\.\d\d of 1|too few messages to judge the fairness), zero violations/,
  );
});

test.concurrent('one that looks before it takes is found out', async () => {
  const { facts, result, sentence } = await run(['idle-read-then-taken']);
  expect(facts.filter(({ verdict }) => verdict === 'bad').map(({ name }) => name)).toEqual([
    'one message for a key',
    'one response at a time',
  ]);
  expect(result).toBe('missed');
  expect(sentence).toMatch(
    /^Failed one message for a key, one response at a time: several messages for a key, several responses at a time, .*fairness/,
  );
});

test.concurrent('a lock that only one of two nodes has is found out', async () => {
  const { facts } = await run(['lock-of-each-node'], { 'entry-points': 'two' });
  expect(facts.filter(({ verdict }) => verdict === 'bad').map(({ name }) => name)).toEqual(['one response at a time']);
});

test.each([
  [[5, 5, 5, 5], 1],
  [[20, 0, 0, 0], 0.25],
  [[0, 0], 1],
])('the fairness of %j is %d', (shares, index) => {
  expect(jainIndex(shares)).toBeCloseTo(index, 9);
});

test('of few messages, chance alone divides even those of a fair target unevenly', () => {
  // χ² exceeds 19.68 in 5 of 100 cases with 11 degrees of freedom, and 3.84 with one.
  expect(evenIndex(12, 120)).toBeCloseTo(1 / (1 + 19.68 / 120), 3);
  expect(evenIndex(2, 100)).toBeCloseTo(1 / (1 + 3.84 / 100), 2);
  expect(evenIndex(1, 10)).toBe(1);
  expect(evenIndex(12, leastMessages(12))).toBeGreaterThanOrEqual(0.8);
  expect(evenIndex(12, leastMessages(12) - 1)).toBeLessThan(0.8);
});

test('fairness has a figure only where there are enough messages', () => {
  const few = fairnessFact([4, 0, 1, 2, 1, 0, 3, 2, 1, 2, 1, 1]);
  expect(few).toEqual({
    name: 'fairness',
    value:
      'too few messages: 18 messages were answered within the measured time, 79 are needed; 0 to 4 for each of 12 writers',
  });
  const many = fairnessFact([...Array.from({ length: 6 }, () => 15), ...Array.from({ length: 6 }, () => 5)]);
  expect(many).toEqual({
    name: 'fairness',
    value:
      '0.80 of 1 (Jain), 5 to 15 for each of 12 writers, answered within the measured time; a target that prefers no writer reaches 0.86 or more in 95 of 100 runs',
    figure: { text: '0.80', unit: 'of 1' },
  });
});

test.each<readonly [string, Parameters<typeof sent>[], number]>([
  [
    'two that were held side by side',
    [
      [202, 0, 1000],
      [202, 5, 1005],
    ],
    2,
  ],
  [
    'one that may have been accepted after the other',
    [
      [202, 0, 1000],
      [202, 5, 2100],
    ],
    1,
  ],
  [
    'one that was not held for its whole wait',
    [
      [202, 0, 1000],
      [202, 5, 400],
    ],
    1,
  ],
  [
    'one that was finished',
    [
      [202, 0, 1000],
      [200, 5, 1005],
    ],
    1,
  ],
  ['none', [], 0],
])('of %s', (_name, spans, most) => {
  expect(mostAtOnce(spans.map((span) => sent(...span)))).toBe(most);
});

function sent(outcome: number, sentAt: number, endedAt: number) {
  return { arrived: { outcome, headers: () => ({}), body: [] }, sentAt, endedAt };
}
