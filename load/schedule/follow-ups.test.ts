import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { withWarmUp } from '../engine/open-engine.ts';
import { loadProfile } from '../profile/profile-file.ts';
import { judgeAnswer } from '../validate/judge-answer.ts';
import { arrivals, wholeLoad } from './arrivals.ts';
import { createRequestPlan } from './request-plan.ts';

const { load, mix, timeoutMs, warmUpMs } = loadProfile('smoke', {});

/** Runs smoke on the reference in virtual time, and returns the requirements that answers of the measured part violate. */
async function violated(fault: string, seed: number): Promise<ReadonlySet<string>> {
  const { schedule } = load;
  if (schedule === undefined) throw new Error('smoke has no schedule');
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, faults: [fault] });
  const plan = createRequestPlan({
    target,
    profile: { mix, timeoutMs },
    seed,
    shard: wholeLoad,
    runId: 'run',
    now: clock.now,
  });
  const rules = new Set<string>();
  const send = async (index: number, atMs: number): Promise<void> => {
    await clock.sleep(warmUpMs + atMs);
    const planned = plan.at(index);
    if (planned.kind !== 'request') return;
    const { operation, caller, request, sure } = planned.request;
    const sentAt = clock.now();
    const response = await deployment(request);
    planned.done(response.status, [response.body]);
    const outcome = { kind: 'answered', response } as const;
    const exchange = { operation, caller, request, sentAt, receivedAt: clock.now(), outcome };
    if (index >= 0) for (const { rule } of judgeAnswer(exchange, sure)) rules.add(rule);
  };
  const all = withWarmUp(warmUpMs, schedule.ratePerSecond, arrivals(schedule, seed));
  await Promise.all(Array.from(all, ({ index, atMs }) => send(index, atMs)));
  return rules;
}

test.each([
  ['cursor-inclusive', 'paging.walk'],
  ['filter-ignored', 'models.filter'],
  ['filter-lost-after-page-one', 'models.filter'],
  ['later-pages-short', 'paging.limit'],
])('smoke finds %s with each of ten seeds', async (fault, rule) => {
  for (let seed = 1; seed <= 10; seed += 1) {
    expect([...(await violated(fault, seed))], `seed ${seed}`).toContain(rule);
  }
});
