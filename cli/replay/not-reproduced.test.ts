import { expect, test } from 'vitest';
import { check, type CheckOptions } from '../../engine/check.ts';
import type { ExchangeRecord, RunRecord } from '../../reports/record/record.ts';
import { checks, sampleRecord } from '../../testing/samples/run-records.ts';
import { whyNotReproduced } from './not-reproduced.ts';

const [sample] = checks.filter(({ verdict }) => verdict === 'failed');
const [exchange] = sample?.exchanges ?? [];

function sentAt(ms: number, durationMs: number): ExchangeRecord {
  if (exchange === undefined) throw new Error('the sample has no exchange');
  return { ...exchange, sentAt: new Date(ms).toISOString(), durationMs };
}

function why(options: CheckOptions, exchanges: readonly ExchangeRecord[], changed: Partial<RunRecord> = {}) {
  if (sample === undefined) throw new Error('the sample has no failure');
  const before = { ...sample, exchanges: [...exchanges] };
  return whyNotReproduced(
    check('paging.limit', { on: 'listModels', ...options }, async () => {}),
    before,
    sampleRecord(changed),
  );
}

const usedUp: RunRecord['usedUp'] = {
  runId: 'awc-1',
  deletions: [{ organizationId: 'org_main', dataSourceId: 'ds_8', certain: true }],
  attachments: [{ billingAccountId: 'ba_1', organizationId: 'org_new', certain: true }],
  messages: [],
};

test('a fixture that the run used up cannot be tried again', () => {
  const deletes: CheckOptions = { uses: ['deletions'] };
  expect(why(deletes, [], { usedUp })).toMatch(
    /^the run of the report deleted ds_8 of org_main, so the replay tried other data sources$/,
  );
  expect(why({ uses: ['attachments'] }, [], { usedUp })).toMatch(
    /^the run of the report attached org_new to ba_1, so .* other organizations$/,
  );
  expect(why(deletes, [])).toBeUndefined();
  const mayDelete: CheckOptions = { mayUse: ['deletions'] };
  expect(why(mayDelete, [sentAt(0, 1)], { usedUp }), 'it deleted nothing').toBeUndefined();
  expect(why(mayDelete, [{ ...sentAt(0, 1), operation: 'deleteDataSource' }], { usedUp })).toMatch(/deleted ds_8/);
  expect(why({ uses: ['messages'] }, [], { usedUp })).toBeUndefined();
  const target = { name: 'T', baseUrl: 'http://x', embedded: { faults: [], choices: {} } };
  expect(why(deletes, [], { usedUp, target }), 'the embedded reference is new in each run').toBeUndefined();
});

test('chance decides how overlapping requests interleave, and how long an answer takes', () => {
  expect(why({}, [sentAt(0, 20), sentAt(10, 20)])).toMatch(/overlap/);
  expect(why({}, [sentAt(0, 10), sentAt(10, 20)])).toBeUndefined();
  // The first is over before the second begins: its instant lacks the part of a millisecond.
  expect(why({}, [sentAt(0, 10.9), sentAt(10, 20)])).toBeUndefined();
  expect(why({ tries: 3 }, [])).toMatch(/times/);
});
