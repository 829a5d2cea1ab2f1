import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { loadRecordSchema } from '../../reports/load/load-record.ts';
import { capacityKind } from './capacity.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';

const serviceMs = 5;

function targetAt(baseUrl: string): Target {
  return {
    name: 'Test',
    baseUrl,
    principals: [{ name: 'alice', key: 'ka', variable: '$A', adminOf: ['owner'] }],
    organizations: [],
    billingAccounts: [{ id: 'ba', owner: 'owner', attachable: [] }],
    assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 100 },
    allow: new Set(['load']),
  };
}

test('finds the ceiling of a target that serves one request at a time', async () => {
  let busyUntil = 0;
  await using server = await tinyServer((_message, reply) => {
    busyUntil = Math.max(performance.now(), busyUntil) + serviceMs;
    setTimeout(() => json(reply, 200, { data: { id: 'ba' } }), busyUntil - performance.now());
  });
  const parsed = parseProfile(
    [
      'question: Where does it break?',
      'load: { capacity: { from: 80, to: 800, trial: 1s, repeats: 1, precision: 45% } }',
      'timeout: 1s',
      'validate: 0%',
      'operations: { getBillingAccount: { weight: 1 } }',
      'thresholds: [latency.p50 < 50ms, errors.rate < 5%]',
    ].join('\n'),
    'capacity.yaml',
    {},
  );
  // Shorter than a profile may ask for: at the rates in question this queue is full within a fraction of that.
  const load = capacityKind.of({
    fromPerSecond: 80,
    toPerSecond: 800,
    trialMs: 400,
    repeats: 1,
    precision: 0.45,
    sockets: 512,
  });
  const profile = { ...parsed, load };
  const record = await profile.load.run(profile, plainOptions(targetAt(server.url)));
  expect(loadRecordSchema.parse(record)).toEqual(record);
  const ceiling = 1000 / serviceMs;
  expect(record.capacity?.trials).not.toEqual([]);
  // A machine that is busy with something else may break trials below the ceiling, but none above it can hold.
  const held = record.capacity?.trials.filter(({ outcome }) => outcome === 'held') ?? [];
  expect(Math.max(...held.map(({ ratePerSecond }) => ratePerSecond))).toBeLessThan(1.6 * ceiling);
  const broke = record.capacity?.trials.filter(({ outcome }) => outcome === 'broke') ?? [];
  expect(broke.filter(({ failed = [] }) => failed.length === 0)).toEqual([]);
  expect(record.capacity?.trials.filter(({ outcome, failed }) => outcome !== 'broke' && failed !== undefined)).toEqual(
    [],
  );
  expect(record.sentence).toMatch(/^(The capacity is|[\d.]+\/s passed every threshold)/);
});

test('a search for the highest correct rate does not count a violation among the thresholds', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 200, { data: { id: 'other' } }));
  const lines = [
    'question: Where does it break?',
    'load: { capacity: { from: 20, to: 40, trial: 1s, repeats: 1, precision: 50%, correct: true } }',
    'operations: { getBillingAccount: { weight: 1 } }',
    'thresholds: [violations == 0, errors.rate < 5%]',
  ];
  const profile = parseProfile(lines.join('\n'), 'capacity.yaml', {});
  const { capacity, sentence, result } = await profile.load.run(profile, plainOptions(targetAt(server.url)));
  expect(result).toBe('missed');
  expect(capacity?.trials.filter(({ outcome, broke }) => outcome === 'broke' || broke === undefined)).toEqual([]);
  expect(capacity?.broke?.requirement).toMatch(/^billing\./);
  expect(sentence).toMatch(
    /^Not correct at 20\/s, the lowest rate tried: billing\.[a-z-]+ breaks; thresholds hold up to /,
  );
});

test('a trial that a condition ended names it, and the search that shows its record does not seem ended', async () => {
  let answers = 0;
  await using server = await tinyServer((_message, reply) => {
    answers += 1;
    json(reply, answers % 4 === 0 ? 200 : 500, {});
  });
  const lines = [
    'question: Where does it break?',
    'load: { capacity: { from: 100, to: 200, trial: 3s, repeats: 1, precision: 50% } }',
    'validate: 0%',
    'operations: { getBillingAccount: { weight: 1 } }',
    'thresholds: [rateLimited.rate < 5%]',
    'abort: [errors.rate > 50%]',
  ];
  const profile = parseProfile(lines.join('\n'), 'capacity.yaml', {});
  const { capacity, endedBy } = await profile.load.run(profile, plainOptions(targetAt(server.url)));
  expect(capacity?.trials[0]).toMatchObject({ failed: ['it ended early, because errors.rate > 50%'] });
  expect(endedBy).toBeUndefined();
});
