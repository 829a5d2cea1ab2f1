import { shown } from '../../../core/text.ts';
import type { CapacityRecord } from '../../../reports/load/capacity-record.ts';
import { failedTrials } from '../../../reports/load/failed-trials.ts';
import { capitalized } from '../../../reports/text/capitalized.ts';
import { tabulate } from '../../compare/render/tabulate.ts';
import { digits, percent } from '../../compare/render/words.ts';
import { knee } from './knee.ts';
import { type CurvePoint, excludedPoints, latencyCurve } from './latency-curve.ts';
import type { CapacityResult, Unfinished } from './next-trial.ts';
import type { CapacityTrial } from './tally.ts';

/** The result of a search as lines for a terminal: the capacity, the curve, its knee, and what broke first. */
export function renderCapacity(capacity: CapacityRecord): readonly string[] {
  const { trials, broke } = capacity;
  const curve = latencyCurve(trials);
  const bend = knee(curve);
  const failed = failedTrials(capacity);
  return [
    capacitySentence(capacity),
    '',
    ...curveTable(trials, curve, bend),
    '',
    bend === undefined
      ? 'The curve of latency over rate has no knee.'
      : `Knee at ${digits(bend.ratePerSecond)}/s (p95 ${digits(bend.p95Ms)} ms): beyond it latency grows faster than the rate.`,
    ...(failed === undefined ? [] : [shown(failed, 500)]),
    ...(broke === undefined
      ? []
      : [
          '',
          `${shown(broke.requirement, 60)} broke first, at ${digits(broke.ratePerSecond)}/s: ${shown(broke.sentence, 200)}`,
          `  expected ${shown(broke.proof.expected, 200)}`,
          `  actual   ${shown(broke.proof.actual, 200)}`,
        ]),
  ];
}

/** The result of a search in sentences. */
export function capacitySentence(capacity: CapacityRecord): string {
  const { result, trials, broke, thresholds, unjudged } = capacity;
  const after = `after ${trials.length} ${trials.length === 1 ? 'trial' : 'trials'}`;
  if (result.kind === 'unfinished') return unfinishedSentence(result, after);
  if (unjudged !== undefined || result.kind === 'unjudged') return unjudgedSentence(capacity, unjudged ?? [], after);
  if (broke === undefined || thresholds === undefined) return searchSentence(result, after);
  const { requirement, ratePerSecond } = broke;
  const first = `${requirement} breaks (first at ${digits(ratePerSecond)}/s)`;
  const rate = `${digits(result.ratePerSecond)}/s`;
  if (result.kind === 'below')
    return ratePerSecond > result.ratePerSecond
      ? `The capacity is below ${rate}, the lowest rate tried, and ${first}, ${after}.`
      : `Not correct at ${rate}, the lowest rate tried: ${requirement} breaks; ${thresholdsSentence(thresholds)}, ${after}.`;
  const isCause = result.kind === 'at-least' || result.brokeAtPerSecond >= ratePerSecond;
  return isCause
    ? `Correct up to ${rate}: above it, ${first}; ${thresholdsSentence(thresholds)}, ${after}.`
    : `Correct up to ${rate}: above it, thresholds fail, and ${first}, ${after}.`;
}

function unfinishedSentence({ passedPerSecond: passed, failedPerSecond: failed }: Unfinished, after: string): string {
  const parts = [
    ...(passed === undefined ? [] : [`${digits(passed)}/s passed`]),
    ...(failed === undefined ? [] : [`${digits(failed)}/s did not`]),
  ];
  return `The search is not over: ${parts.length === 0 ? 'no rate was tried to the end' : parts.join(', ')}, ${after}.`;
}

type Unjudged = NonNullable<CapacityRecord['unjudged']>;

/** The result of a search in which a requirement was not judged at the highest rates that passed, or at none, and what helps. */
function unjudgedSentence({ result, thresholds, broke }: CapacityRecord, unjudged: Unjudged, after: string): string {
  const never = unjudged.filter(({ keptAtPerSecond }) => keptAtPerSecond === undefined);
  const said = never.length > 0 ? never : unjudged;
  const names = said.map(({ requirement }) => requirement).join(', ');
  const parts = [
    result.kind === 'at-least'
      ? `Correct up to at least ${digits(result.ratePerSecond)}/s: no trial above it judged ${names}`
      : `No verdict: no trial showed that ${names} ${said.length === 1 ? 'is' : 'are'} kept`,
    ...(broke === undefined ? [] : [`${broke.requirement} breaks (first at ${digits(broke.ratePerSecond)}/s)`]),
    ...(thresholds === undefined ? [] : [thresholdsSentence(thresholds)]),
  ];
  const remedies = [...new Set(said.map(({ remedy }) => remedy))].map((remedy) => `${capitalized(remedy)}.`);
  return `${parts.join('; ')}, ${after}. ${remedies.join(' ')}`;
}

function thresholdsSentence(result: CapacityResult): string {
  const rate = `${digits(result.ratePerSecond)}/s`;
  switch (result.kind) {
    case 'found':
      return `thresholds hold up to ${rate}`;
    case 'at-least':
      return `thresholds hold up to at least ${rate}`;
    case 'below':
      return `thresholds fail at ${rate} already`;
  }
}

function searchSentence(result: CapacityResult, after: string): string {
  switch (result.kind) {
    case 'found': {
      const { lowPerSecond, highPerSecond } = result.interval;
      return (
        `${digits(result.ratePerSecond)}/s passed every threshold, ${digits(result.brokeAtPerSecond)}/s did not: ` +
        `the capacity lies between ${digits(lowPerSecond)}/s and ${digits(highPerSecond)}/s with 95% probability, ${after}.`
      );
    }
    case 'at-least': {
      const limit =
        result.limit === 'range' ? 'the profile allows no higher rate' : 'the generator could not send more';
      return `The capacity is at least ${digits(result.ratePerSecond)}/s: ${limit}, ${after}.`;
    }
    case 'below':
      return result.limit === 'target'
        ? `The capacity is below ${digits(result.ratePerSecond)}/s, the lowest rate tried, ${after}.`
        : `No verdict: the generator could not keep even ${digits(result.ratePerSecond)}/s, ${after}.`;
  }
}

/** A row for each rate, and one for its trials that do not count. Where a requirement broke, speed and correctness have a column each. */
function curveTable(
  all: readonly CapacityTrial[],
  curve: readonly CurvePoint[],
  bend: CurvePoint | undefined,
): readonly string[] {
  const isBroken = all.some(({ broke }) => broke !== undefined);
  const counted = curve.map((point) => {
    const { ratePerSecond, passed, correct, trials } = point;
    const verdicts = [`${passed} of ${trials}`, ...(isBroken ? [`${correct} of ${trials}`] : [])];
    const last = point === bend ? [...verdicts.slice(0, -1), `${verdicts.at(-1)}  ← knee`] : verdicts;
    return { ratePerSecond, cells: [...figureCells(point), ...last] };
  });
  const excluded = excludedPoints(all).map((point) => ({
    ratePerSecond: point.ratePerSecond,
    cells: [
      ...figureCells(point),
      ...(isBroken ? ['–'] : []),
      `${point.trials} excluded: the generator could not keep the rate`,
    ],
  }));
  const rows = [...counted, ...excluded].toSorted((one, other) => one.ratePerSecond - other.ratePerSecond);
  return tabulate([
    ['rate', 'answers', 'p50', 'p95', 'p99', 'passed', ...(isBroken ? ['correct'] : [])],
    ...rows.map(({ cells }) => cells),
  ]);
}

function figureCells(point: CurvePoint): readonly string[] {
  const { ratePerSecond, throughputPerSecond, p50Ms, p95Ms, p99Ms } = point;
  return [
    `${digits(ratePerSecond)}/s`,
    percent(throughputPerSecond / ratePerSecond),
    ...[p50Ms, p95Ms, p99Ms].map((ms) => `${digits(ms)} ms`),
  ];
}
