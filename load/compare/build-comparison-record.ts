import { comparisonRecordFormat, type ComparisonRecord } from '../../reports/load/comparison-record.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { identity } from '../../reports/record/identity.ts';
import type { BuildComparison } from './compare-records.ts';
import { type FigureComparison, statedError } from './comparison.ts';
import { type Figure, shareBelow } from './render/figure.ts';
import { conclusion } from './render/render-builds.ts';
import { sentence } from './render/sentence.ts';

type Compared = {
  readonly a: readonly LoadRecord[];
  readonly b: readonly LoadRecord[];
  readonly margin: number;
  readonly required: readonly Figure[];
};

/** The record of a comparison of builds; undefined where a build has no run. */
export function buildComparisonRecord(compared: BuildComparison, of: Compared): ComparisonRecord | undefined {
  const { margin, required } = of;
  const { comparison, worse, notes, verdict } = compared;
  const [a, b] = [buildOf(of.a), buildOf(of.b)];
  if (a === undefined || b === undefined) return undefined;
  return {
    format: comparisonRecordFormat,
    suite: identity().suite,
    verdict,
    sentence: conclusion(compared, { margin, required }),
    margin,
    required: [...required],
    confidence: 1 - statedError,
    a,
    b,
    ...(comparison === undefined ? {} : { unit: comparison.unit }),
    figures: (comparison?.figures ?? []).map((figure) => figureRecord(figure, margin)),
    worse: [...worse],
    notes: [...notes],
  };
}

function buildOf(records: readonly LoadRecord[]): ComparisonRecord['a'] | undefined {
  const [first] = records.toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
  if (first === undefined) return undefined;
  const { target, profile, startedAt } = first;
  const { name, baseUrl } = target;
  return { target: { name, baseUrl }, profile: profile.name, runs: records.length, startedAt };
}

function figureRecord(figure: FigureComparison, margin: number): ComparisonRecord['figures'][number] {
  const { basis, verdict } = figure;
  const isTime = shareBelow(figure.figure) !== undefined;
  const inUnit = (amount: number) => finite(isTime ? amount / 1000 : amount);
  return {
    figure: figure.figure,
    unit: isTime ? 'ms' : 'per second',
    a: inUnit(figure.a),
    b: inUnit(figure.b),
    ratio: finite(figure.ratio),
    verdict: verdict.kind,
    ...(verdict.kind === 'kept-up' ? { shortfall: verdict.shortfall } : {}),
    ...(basis === undefined
      ? {}
      : {
          basis: {
            interval: basis.interval,
            atWorst: isTime ? basis.interval.high : 1 / basis.interval.low,
            detectable: finite(basis.detectable),
            power: basis.power,
            ...(basis.roundsToTell === undefined ? {} : { roundsToTell: basis.roundsToTell }),
          },
        }),
    sentence: sentence(figure, margin),
  };
}

/** JSON has no other numbers. */
function finite(amount: number): number | null {
  return Number.isFinite(amount) ? amount : null;
}
