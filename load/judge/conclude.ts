import type { LongPollLoad, Profile } from '../profile/profile.ts';
import type { Fact, LoadRecord, LoadThresholdRecord } from '../../reports/load/load-record.ts';
import { pointOf } from '../measure/distribution.ts';
import { judgeThresholds, type Measured, timesOf } from './judge-thresholds.ts';
import { classOf } from '../measure/outcome.ts';

/** How a run ended, before anything is judged. */
export type Ending =
  | { readonly kind: 'completed' }
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'aborted';
      /** The condition that came true. */
      readonly by: string;
    };

export type Conclusion = Pick<LoadRecord, 'result' | 'sentence' | 'throughputPerSecond'> & {
  readonly thresholds: LoadThresholdRecord[];
};

export type Evidence = {
  readonly measured: Measured;
  readonly ending: Ending;
  readonly generatorReasons: readonly string[];
  readonly facts: readonly Fact[];
};

/** What a run amounts to: each threshold, the result, and one sentence that says how fast and how right it was. */
export function conclude(profile: Pick<Profile, 'thresholds' | 'load'>, evidence: Evidence): Conclusion {
  const { measured, ending } = evidence;
  const thresholds = judgeThresholds(profile.thresholds, measured);
  const throughputPerSecond = successes(measured) / Math.max(0.001, measured.measuredMs / 1000);
  const result = resultOf(evidence, thresholds);
  const figures = `${speed(profile, measured, throughputPerSecond)}, ${rightness(measured)}`;
  const missed = [
    ...thresholds.filter(({ verdict }) => verdict === 'missed').map(({ text }) => text),
    ...evidence.facts.filter(({ verdict }) => verdict === 'bad').map(({ name }) => name),
  ];
  const prefix = prefixOf(result, ending, evidence.generatorReasons, missed);
  return { thresholds: [...thresholds], throughputPerSecond, result, sentence: `${prefix}${figures}.` };
}

function resultOf(
  { ending, facts, measured }: Evidence,
  thresholds: readonly LoadThresholdRecord[],
): LoadRecord['result'] {
  if (ending.kind !== 'completed') return ending.kind;
  if (thresholds.some(({ verdict }) => verdict === 'missed') || facts.some(({ verdict }) => verdict === 'bad'))
    return 'missed';
  const isUnjudged =
    measured.generator.verdict === 'bottleneck' ||
    thresholds.some(({ verdict }) => verdict === 'unjudged') ||
    facts.some(({ verdict }) => verdict === 'unclear');
  return isUnjudged ? 'unjudged' : 'held';
}

/** Names of thresholds that have room in a sentence. */
const mostNamed = 2;

function prefixOf(
  result: LoadRecord['result'],
  ending: Ending,
  generatorReasons: readonly string[],
  missed: readonly string[],
): string {
  if (ending.kind === 'aborted') return `Ended early, because ${ending.by}: `;
  if (ending.kind === 'interrupted') return 'Interrupted: ';
  if (result === 'missed') {
    const more = missed.length > mostNamed ? ` and ${missed.length - mostNamed} more` : '';
    return `Missed ${missed.slice(0, mostNamed).join(', ')}${more}: `;
  }
  if (generatorReasons.length > 0) return 'No verdict, the generator was the bottleneck: ';
  return result === 'unjudged' ? 'No verdict: ' : '';
}

/** Requests that came to an end, one way or another. */
function count({ operations }: Measured): number {
  let sum = 0;
  for (const { outcomes } of operations.values()) for (const outcome of outcomes.values()) sum += outcome.count;
  return sum;
}

function successes({ operations }: Measured): number {
  let sum = 0;
  for (const [operation, { outcomes }] of operations) {
    for (const { outcome, count } of outcomes.values()) if (classOf(outcome, operation) === 'ok') sum += count;
  }
  return sum;
}

function speed({ load }: Pick<Profile, 'load'>, measured: Measured, throughputPerSecond: number): string {
  const rate = `${trimmed(throughputPerSecond)} req/s`;
  if (load.kind === 'closed') return `${rate} from ${load.connections} connections`;
  if (load.kind === 'longPoll') return besideHeld(load, measured);
  const times = timesOf(measured.operations, 'latency');
  if (times.totalCount === 0) return count(measured) === 0 ? 'nothing was measured' : `no answer at ${rate}`;
  return `p99 ${trimmed(pointOf(times, 'p99'))} ms at ${rate}`;
}

/** What is held waits because it was asked to; the question is what the others wait meanwhile. */
function besideHeld({ held, ratePerSecond }: LongPollLoad, { operations }: Measured): string {
  const others = [...operations].filter(([operation]) => operation !== 'sendMessage');
  const times = timesOf(others, 'latency');
  if (times.totalCount === 0) return `no answer to anybody beside ${held} held requests`;
  return `p99 ${trimmed(pointOf(times, 'p99'))} ms of ${trimmed(ratePerSecond)} req/s beside ${held} held requests`;
}

function rightness({ checked, broken }: Measured): string {
  const answers = `${checked.toLocaleString('en')} answers checked`;
  const wrong = broken(undefined);
  return `${wrong === 0 ? 'zero' : wrong.toLocaleString('en')} violations in ${answers}`;
}

/** Three digits tell the difference; more pretend to one. */
export function trimmed(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
