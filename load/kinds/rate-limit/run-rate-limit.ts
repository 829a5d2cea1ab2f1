import type { Fact } from '../../../reports/load/load-record.ts';
import { engineClock as clock } from '../../engine/rate-cap.ts';
import type { Target } from '../../../core/target.ts';
import type { LoadOptions, Profile } from '../../profile/profile.ts';
import { beginRun } from '../begin-run.ts';
import { estimateLimit } from './estimate-limit.ts';
import type { LimitContext } from './limit-estimate.ts';
import { judgeHonesty } from './judge-honesty.ts';
import { insist, obey, sharingFacts, subjectOf } from './limit-experiments.ts';
import { honestyFacts, limitFacts, limitHeadline } from './limit-facts.ts';
import { openLimitedTarget } from './limited-target.ts';
import { observeWindows, type Observed } from './observe-windows.ts';
import { createRefusedWrites } from './refused-writes.ts';

/** The share of the budget that is kept for herds. */
const herdShare = 0.1;

/** Requests that a load may send with each key before it begins, to see whether the target can be used. */
const lookedRequests = 3;

export type RateLimitLoad = {
  readonly connections: number;
  /** How many windows are observed. */
  readonly windows: number;
  readonly longestWindowMs: number;
};

/** Measures the rate limit, and judges whether `retryAfterMs` is correct. */
export async function runRateLimit(
  { connections, windows, longestWindowMs }: RateLimitLoad,
  profile: Profile,
  options: LoadOptions,
) {
  const { target, rateCap } = options;
  const { timeoutMs } = profile;
  const { maxRequestsPerSecond, rateProbeRequests: budget } = target.limits;
  const subject = subjectOf(target, timeoutMs);
  const { principal, request } = subject;
  const run = await beginRun(profile, options, windows * longestWindowMs);
  const { measurement, signal, runId } = run;
  run.begin(performance.now());
  const limited = openLimitedTarget({ ...run, route: target, connections, maxRequestsPerSecond, rateCap, request });
  const sharing: Fact[] = [];
  const herds: Fact[] = [];
  const writes = createRefusedWrites({ target, principal, limited, runId, timeoutMs });
  const firstOpenedAt = options.isEmbedded ? clock.now() : 0; // the load looked at the target after the process began
  await writes.prepare();
  const sent = [...measurement.operations.values()].reduce((sum, measure) => sum + measure.sent, 0);
  const sentBefore = sent + (options.isEmbedded ? 0 : lookedRequests);
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
  const limit = limitOf(observed, { firstOpenedAt, sentBefore }, target.limits);
  return run.end({
    sockets: { cap: connections, peak: connections, waited: 0 },
    closes,
    unfinished,
    mustServe: [request.operation],
    isHeldBack: Number.isFinite(maxRequestsPerSecond),
    headline: limit.headline,
    facts: [...limit.facts, ...sharing, ...herds, ...refusedWrites],
    notes: subject.note,
  });
}

function limitOf(
  { windows, startedAt, sent }: Observed,
  before: Pick<LimitContext, 'firstOpenedAt' | 'sentBefore'>,
  { maxRequestsPerSecond, rateProbeRequests }: Target['limits'],
): { readonly facts: readonly Fact[]; readonly headline?: string | undefined } {
  if (windows.length === 0) {
    const headline = `no limit was reached in ${sent} requests`;
    const pace = Number.isFinite(maxRequestsPerSecond)
      ? `, and limits.maxRequestsPerSecond ${maxRequestsPerSecond} a second: a higher limit cannot be observed`
      : '';
    const value = `${headline}; limits.rateProbeRequests allows ${rateProbeRequests}${pace}`;
    return { facts: [{ name: 'rate limit', value, verdict: 'unclear' }], headline };
  }
  const honesty = judgeHonesty(windows);
  const estimate = estimateLimit(windows, { ...before, startedAt, isHonest: honesty.verdict === 'honest' });
  return {
    facts: [...limitFacts(estimate, windows.length), ...honestyFacts(honesty)],
    headline: limitHeadline(estimate, honesty),
  };
}
