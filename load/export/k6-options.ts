import type { Profile } from '../profile/profile.ts';
import type { Threshold } from '../profile/threshold.ts';
import type { Schedule } from '../schedule/arrivals.ts';
import { wholeFlow } from '../kinds/flow/flow-steps.ts';

/** How many virtual users k6 has, and how long they may take after the last arrival. */
type VirtualUsers = { readonly atFirst: number; readonly most: number; readonly gracefulStopMs: number };

/** The options of a script for k6: one scenario of an arrival rate, and the thresholds that k6 can express. */
export function k6Options({ warmUpMs, thresholds }: Profile, schedule: Schedule, users: VirtualUsers): object {
  // k6 takes whole numbers only.
  const rates = [schedule.ratePerSecond, ...schedule.stages.map(({ ratePerSecond }) => ratePerSecond)];
  const isWhole = rates.every((rate) => Number.isInteger(rate));
  const rate = (perSecond: number) => Math.round(isWhole ? perSecond : 60 * perSecond);
  const warmUp = warmUpMs === 0 ? [] : [{ target: rate(schedule.ratePerSecond), duration: `${warmUpMs}ms` }];
  const judged: Record<string, string[]> = { dropped_iterations: ['count==0'] };
  for (const { metric, expression } of thresholds.flatMap((one) => k6Threshold(one) ?? [])) {
    (judged[metric] ??= []).push(expression);
  }
  return {
    discardResponseBodies: true,
    scenarios: {
      load: {
        executor: 'ramping-arrival-rate',
        startRate: rate(schedule.ratePerSecond),
        timeUnit: isWhole ? '1s' : '1m',
        stages: [
          ...warmUp,
          ...schedule.stages.map((stage) => ({ target: rate(stage.ratePerSecond), duration: `${stage.overMs}ms` })),
        ],
        preAllocatedVUs: users.atFirst,
        maxVUs: users.most,
        gracefulStop: `${users.gracefulStopMs}ms`,
      },
    },
    thresholds: judged,
  };
}

/** The thresholds that k6 cannot judge. */
export function unjudgedByK6({ thresholds }: Profile): readonly Threshold[] {
  return thresholds.filter((threshold) => k6Threshold(threshold) === undefined);
}

const aggregates = {
  p50: 'p(50)',
  p75: 'p(75)',
  p90: 'p(90)',
  p95: 'p(95)',
  p99: 'p(99)',
  p999: 'p(99.9)',
  mean: 'avg',
  max: 'max',
} as const;

type K6Threshold = { readonly metric: string; readonly expression: string };

/** Undefined for what k6 does not measure. */
function k6Threshold(threshold: Threshold): K6Threshold | undefined {
  const { measure, comparator, bound, step } = threshold;
  const isOfFlow = step === wholeFlow;
  switch (measure.kind) {
    case 'latency':
    case 'service': {
      const metric = isOfFlow ? 'flow_duration' : taggedMetric('http_req_duration', threshold);
      return { metric, expression: `${aggregates[measure.point]}${comparator}${bound}` };
    }
    case 'throughput':
      return isOfFlow
        ? undefined
        : { metric: taggedMetric('http_reqs', threshold), expression: `rate${comparator}${bound}` };
    case 'share': {
      if (measure.of !== 'errors') return undefined;
      const metric = isOfFlow ? 'flow_failed' : taggedMetric('http_req_failed', threshold);
      return { metric, expression: `rate${comparator}${bound}` };
    }
    case 'violations':
      return undefined;
  }
}

/** The part of a metric that a threshold is about: a step, an operation, or all of it. */
function taggedMetric(metric: string, { operation, step }: Threshold): string {
  if (step !== undefined) return `${metric}{step:${step}}`;
  return operation === undefined ? metric : `${metric}{operation:${operation}}`;
}
