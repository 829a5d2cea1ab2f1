import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Target } from '../../core/target.ts';
import { createReference } from '../../reference/reference.ts';
import { withWarmUp } from '../engine/open-engine.ts';
import { loadProfile } from '../profile/profile-file.ts';
import { arrivals, wholeLoad } from './arrivals.ts';
import { createRequestPlan } from './request-plan.ts';

const profile = loadProfile('smoke', {});
const seeds = Array.from({ length: 25 }, (_, seed) => seed);

/** Runs smoke on the reference in virtual time, and counts the successes of each operation in the measured part. */
async function successes(
  seed: number,
  change: (target: Target) => Target = (target) => target,
  warmUpMs = profile.warmUpMs,
) {
  const { schedule } = profile.load;
  if (schedule === undefined) throw new Error('smoke has no schedule');
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, faults: [], choices: { 'rate-quota': 'none' } });
  const own = change(target);
  const plan = createRequestPlan({ target: own, profile, seed, shard: wholeLoad, runId: 'run', now: clock.now });
  const counts = new Map<string, number>();
  async function send(index: number, atMs: number): Promise<void> {
    await clock.sleep(warmUpMs + atMs);
    const planned = plan.at(index);
    if (planned.kind !== 'request') return;
    const { operation, request } = planned.request;
    const { status, body } = await deployment(request);
    planned.done(status, [body]);
    if (index >= 0 && status < 300) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  }
  const all = withWarmUp(warmUpMs, schedule.ratePerSecond, arrivals(schedule, seed));
  await Promise.all([...all].map(({ index, atMs }) => send(index, atMs)));
  return { counts, missing: plan.missing };
}

test.each([
  ['with its warm-up', profile.warmUpMs],
  ['without one', 0],
])('smoke covers all six operations, whatever the seed: %s', async (_name, warmUpMs) => {
  for (const seed of seeds) {
    const { counts, missing } = await successes(seed, undefined, warmUpMs);
    expect([...counts.keys()].toSorted(), `seed ${seed}`).toEqual([
      'attachOrganization',
      'deleteDataSource',
      'getBillingAccount',
      'listDataSources',
      'listModels',
      'sendMessage',
    ]);
    expect([counts.get('attachOrganization'), counts.get('deleteDataSource'), missing]).toEqual([1, 1, []]);
  }
});

test('smoke leaves out what the target file does not allow', async () => {
  const { counts, missing } = await successes(1, (target) => ({ ...target, allow: new Set(['load', 'deletions']) }));
  expect([...counts.keys()].toSorted()).toEqual([
    'deleteDataSource',
    'getBillingAccount',
    'listDataSources',
    'listModels',
  ]);
  expect(missing).toEqual([
    'sendMessage is left out: the target file does not allow messages',
    'attachOrganization is left out: the target file does not allow attachments',
  ]);
});
