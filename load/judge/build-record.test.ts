import { expect, test } from 'vitest';
import { plainTarget } from '../../testing/samples/plain-target.ts';
import type { Operation } from '../../spec/requirement.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { pointsOf } from '../measure/distribution.ts';
import { countSample, countSent, createMeasurement } from '../measure/measurement.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { createAnswerTally } from '../validate/answer-tally.ts';
import { buildRecord } from './build-record.ts';
import { createSlowRecords } from './slow-records.ts';
import { createViolationRecords } from './violation-records.ts';

const target = plainTarget();

const use = { eventLoopUtilization: 0.1, eventLoopDelayP99Ms: 1, processCores: 0.1, machineShare: 0.2, memoryMb: 90 };

/** 200 lists in 20 ms each, which left that late, beside 2,000 messages that were held for four seconds. */
function longPollRecord(lagMs: number, waited = 0) {
  const text =
    'question: Why?\nload: { longPoll: { held: 9, wait: 4, rate: 20 } }\nduration: 10s\noperations: { listModels: { weight: 1 } }\n';
  const measurement = createMeasurement(10_000);
  const add = (times: number, operation: Operation, latencyMs: number, lag?: number) => {
    for (let index = 0; index < times; index += 1) {
      countSent(measurement, operation, 0, lag);
      countSample(measurement, { operation, outcome: 200, atMs: 0, latencyMs, serviceMs: latencyMs });
    }
  };
  add(200, 'listModels', 20, lagMs);
  add(2000, 'sendMessage', 4000);
  const tallied = createAnswerTally().result();
  return buildRecord({
    ...plainOptions(target),
    profile: parseProfile(text, 'p.yaml', {}),
    measurement,
    measuredMs: 10_000,
    startedAt: 0,
    validation: { ...tallied, warmUp: tallied },
    use,
    ending: { kind: 'completed' },
    server: undefined,
    changes: { deletions: [], attachments: [], messages: [] },
    slowRecord: createSlowRecords(target),
    violationRecord: createViolationRecords(target),
    distributionOf: pointsOf,
    sockets: { cap: 256, peak: 9, waited },
  });
}

test('the lag of a load beside held requests is compared with the latency of what has a schedule', () => {
  const { generator } = longPollRecord(12);
  expect(generator.verdict).toBe('bottleneck');
  expect(generator.reasons.join()).toMatch(/left 12\.\d ms late/);
  expect(longPollRecord(1).generator).toMatchObject({ verdict: 'fit', reasons: [] });
});

test('a wait for sockets of a load beside held requests is a share of what has a schedule', () => {
  expect(longPollRecord(1, 15).notes).toEqual([expect.stringContaining('15 requests waited')]);
});
