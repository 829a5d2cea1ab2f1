import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Target } from '../../core/target.ts';
import { createReference } from '../../reference/reference.ts';
import { withWarmUp } from '../engine/open-engine.ts';
import { onceOperations } from '../profile/mix.ts';
import { loadProfile } from '../profile/profile-file.ts';
import { arrivals, wholeLoad } from './arrivals.ts';
import { createRequestPlan } from './request-plan.ts';

const profile = loadProfile('smoke', {});
const seeds = Array.from({ length: 25 }, (_, seed) => seed);

type Changed = {
  readonly change?: (target: Target) => Target;
  readonly warmUpMs?: number;
  readonly mix?: typeof profile.mix;
  /** How many attachments, and how many deletions, get a 429 at first. */
  readonly turnedAway?: number;
};

const isOnce = (operation: string) => onceOperations.some((one) => one === operation);

/** Runs smoke on the reference in virtual time, and counts the successes of each operation in the measured part. */
async function successes(
  seed: number,
  { change = (target) => target, warmUpMs = profile.warmUpMs, mix = profile.mix, turnedAway = 0 }: Changed = {},
) {
  const { schedule } = profile.load;
  if (schedule === undefined) throw new Error('smoke has no schedule');
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, faults: [], choices: { 'rate-quota': 'none' } });
  const own = change(target);
  const { timeoutMs } = profile;
  const plan = createRequestPlan({
    target: own,
    profile: { mix, timeoutMs },
    seed,
    shard: wholeLoad,
    runId: 'run',
    now: clock.now,
  });
  const counts = new Map<string, number>();
  const refused = new Map<string, number>();
  async function send(index: number, atMs: number): Promise<void> {
    await clock.sleep(warmUpMs + atMs);
    const planned = plan.at(index);
    if (planned.kind !== 'request') return;
    const { operation, request } = planned.request;
    const before = refused.get(operation) ?? 0;
    if (isOnce(operation) && before < turnedAway) {
      refused.set(operation, before + 1);
      planned.done(429);
      return;
    }
    const { status, body } = await deployment(request);
    planned.done(status, [body]);
    if (index >= 0 && status < 300) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  }
  const all = withWarmUp(warmUpMs, schedule.ratePerSecond, arrivals(schedule, seed));
  await Promise.all([...all].map(({ index, atMs }) => send(index, atMs)));
  return { counts, refused, missing: plan.missing };
}

test.each([
  ['with its warm-up', profile.warmUpMs],
  ['without one', 0],
])('smoke covers all six operations, whatever the seed: %s', async (_name, warmUpMs) => {
  for (const seed of seeds) {
    const { counts, missing } = await successes(seed, { warmUpMs });
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
  const { counts, missing } = await successes(1, {
    change: (target) => ({ ...target, allow: new Set(['load', 'deletions']) }),
  });
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

test.each([
  ['at first are tried again', 2],
  ['always do not take the place of everything else', Number.POSITIVE_INFINITY],
])('an attachment and a deletion that are turned away %s', async (_name, turnedAway) => {
  // Too rare to be drawn.
  const mix = profile.mix.map((entry) => (isOnce(entry.operation) ? { ...entry, weight: 1e-9 } : entry));
  const isAlways = turnedAway === Number.POSITIVE_INFINITY;
  for (const seed of seeds) {
    const { counts, refused } = await successes(seed, { mix, turnedAway });
    for (const operation of onceOperations) {
      expect(counts.get(operation), `${operation}, seed ${seed}`).toBe(isAlways ? undefined : 1);
      expect(refused.get(operation), `${operation}, seed ${seed}`).toBeLessThan(10);
    }
  }
});
