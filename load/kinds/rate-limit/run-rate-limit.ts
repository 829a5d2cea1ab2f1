import { realClock } from '../../../core/clock.ts';
import type { Profile, RateLimitLoad } from '../../profile/profile.ts';
import type { Fact, LoadRecord } from '../../../reports/load/load-record.ts';
import { wholeLoad } from '../../schedule/arrivals.ts';
import { buildRecord } from '../../judge/build-record.ts';
import { watchGenerator } from '../../measure/generator-watch.ts';
import { createMeasurement } from '../../measure/measurement.ts';
import { type LoadOptions, runIdOf } from '../run-load.ts';
import { tellProgress } from '../../measure/tell-progress.ts';
import { startValidator } from '../../validate/validator.ts';
import { estimateLimit, type LimitContext } from './estimate-limit.ts';
import { judgeHonesty } from './judge-honesty.ts';
import { insist, obey, sharingFacts, subjectOf } from './limit-experiments.ts';
import { honestyFacts, limitFacts } from './limit-facts.ts';
import { openLimitedTarget } from './limited-target.ts';
import { observeWindows, type Observed } from './observe-windows.ts';
import { createRefusedWrites } from './refused-writes.ts';

/** Of the budget, what is left for herds. */
const herdShare = 0.1;
const judgingPatienceMs = 5000;
/** Instants are of `performance.now()`, as those of the engines are. */
const clock = { now: () => performance.now(), sleep: realClock.sleep };

/** Finds out what the rate limit is, and whether what it says is true. */
export async function runRateLimit(
  profile: Profile & { readonly load: RateLimitLoad },
  options: LoadOptions,
): Promise<LoadRecord> {
  const { target, seed, signal } = options;
  const { timeoutMs } = profile;
  const { connections, windows, longestWindowMs } = profile.load;
  const subject = subjectOf(target, timeoutMs);
  const startedAt = performance.now();
  const measurement = createMeasurement(windows * longestWindowMs);
  const validator = await startValidator(profile.validate, seed);
  const use = watchGenerator();
  const told = { startAt: startedAt, plannedMs: undefined, measurement, validator };
  const stopTelling = tellProgress(options.onProgress, told);
  const limited = openLimitedTarget({
    baseUrl: target.baseUrl,
    connections,
    maxRequestsPerSecond: target.limits.maxRequestsPerSecond,
    request: subject.request,
    measurement,
    listener: validator.offer,
    signal,
  });
  const budget = target.limits.rateProbeRequests;
  const sharing: Fact[] = [];
  const herds: Fact[] = [];
  const { principal } = subject;
  const writes = createRefusedWrites({ target, principal, limited, runId: runIdOf(seed), timeoutMs });
  const firstSentAt = clock.now();
  await writes.prepare();
  const sentBefore = [...measurement.operations.values()].reduce((sum, { sent }) => sum + sent, 0);
  const observed = await observeWindows({
    prober: limited,
    clock,
    windows,
    longestWindowMs,
    budget: Math.floor(budget * (1 - herdShare)),
    signal,
    async whileLimited(window) {
      if (window === 0) sharing.push(...(await sharingFacts(limited, subject, target, timeoutMs)));
      if (window >= 1) await writes.attempt();
      if (window === 1) herds.push(...(await insist(limited)));
    },
  });
  if (!signal.aborted) herds.push(...(await obey(limited, observed, connections, budget)));
  const refusedWrites = signal.aborted ? [] : await writes.verify();
  const { closes, unfinished } = await limited.close();
  stopTelling();
  const facts = factsOf(observed, { firstOpenedAt: firstSentAt, sentBefore }, budget);
  return buildRecord({
    ...options,
    shard: wholeLoad,
    profile,
    startedAt: performance.timeOrigin + startedAt,
    measuredMs: performance.now() - startedAt,
    measurement,
    validation: await validator.end(judgingPatienceMs),
    use: use(),
    sockets: { cap: connections, peak: connections, waited: 0 },
    closes,
    unfinished,
    offeredPerSecond: undefined,
    isHeldBack: Number.isFinite(target.limits.maxRequestsPerSecond),
    ending: signal.aborted ? { kind: 'interrupted' } : { kind: 'completed' },
    facts: [...facts, ...sharing, ...herds, ...refusedWrites],
    notes: subject.note,
  });
}

function factsOf(
  { windows, sent }: Observed,
  before: Pick<LimitContext, 'firstOpenedAt' | 'sentBefore'>,
  budget: number,
): readonly Fact[] {
  if (windows.length === 0) {
    return [
      {
        name: 'rate limit',
        value: `none was met in ${sent} requests; limits.rateProbeRequests allows ${budget}`,
        verdict: 'unclear',
      },
    ];
  }
  const honesty = judgeHonesty(windows);
  const estimate = estimateLimit(windows, { ...before, isHonest: honesty.verdict === 'honest' });
  return [...limitFacts(estimate, windows.length), ...honestyFacts(honesty)];
}
