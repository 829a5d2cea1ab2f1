import { tabulate } from '../../compare/render/tabulate.ts';
import { digits, percent } from '../../compare/render/words.ts';
import type { CapacityTrial } from './tally.ts';
import { knee } from './knee.ts';
import { type CurvePoint, latencyCurve } from './latency-curve.ts';
import type { CapacityResult } from './next-trial.ts';

/** The result of a search as lines for a terminal: the capacity, the curve, and its knee. */
export function renderCapacity(result: CapacityResult, trials: readonly CapacityTrial[]): readonly string[] {
  const curve = latencyCurve(trials);
  const bend = knee(curve);
  return [
    capacitySentence(result, trials.length),
    '',
    ...tabulate([
      ['rate', 'answers', 'p50', 'p95', 'p99', 'passed'],
      ...curve.map((point) => row(point, point === bend)),
    ]),
    '',
    bend === undefined
      ? 'The curve of latency over rate has no knee.'
      : `Knee at ${digits(bend.ratePerSecond)}/s (p95 ${digits(bend.p95Ms)} ms): beyond it latency grows faster than the rate.`,
  ];
}

/** The result of a search in a sentence. */
export function capacitySentence(result: CapacityResult, trials: number): string {
  const after = `after ${trials} ${trials === 1 ? 'trial' : 'trials'}`;
  switch (result.kind) {
    case 'found': {
      const { lowPerSecond, highPerSecond } = result.interval;
      return (
        `${digits(result.ratePerSecond)}/s passed every threshold, ${digits(result.brokeAtPerSecond)}/s did not: ` +
        `the capacity lies between ${digits(lowPerSecond)}/s and ${digits(highPerSecond)}/s with 95% probability, ${after}.`
      );
    }
    case 'at-least': {
      const limit = result.limit === 'range' ? 'the search goes no further' : 'the generator could not send more';
      return `The capacity is at least ${digits(result.ratePerSecond)}/s: ${limit}, ${after}.`;
    }
    case 'below':
      return result.limit === 'target'
        ? `The capacity is below ${digits(result.ratePerSecond)}/s, the lowest rate tried, ${after}.`
        : `No verdict: the generator could not keep even ${digits(result.ratePerSecond)}/s, ${after}.`;
  }
}

function row(point: CurvePoint, isKnee: boolean): readonly string[] {
  const { ratePerSecond, throughputPerSecond, p50Ms, p95Ms, p99Ms, passed, trials } = point;
  return [
    `${digits(ratePerSecond)}/s`,
    percent(throughputPerSecond / ratePerSecond),
    ...[p50Ms, p95Ms, p99Ms].map((ms) => `${digits(ms)} ms`),
    `${passed} of ${trials}${isKnee ? '  ← knee' : ''}`,
  ];
}
