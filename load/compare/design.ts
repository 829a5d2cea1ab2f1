import { blockLength } from './statistics/block-length.ts';
import { answersWithin, everyUnit, figureOf, type Units, unitsOf } from './units.ts';
import { type Block, largest, type Shortfall, type Trial, type Trials } from './trial.ts';

/** Fewer trials of a build than this do not show how its trials vary. */
export const fewestTrials = 4;

/** A long trial is cut into at most this many stretches, so that comparing runs of hours is as quick as comparing runs of minutes. */
const mostStretches = 240;

/** The units of one build that the bootstrap draws, and how many neighbours it draws together. */
export type Sample = {
  readonly units: Units;
  readonly together: number;
  readonly trials: number;
  /** The largest of all trials; undefined if that of a trial is. */
  readonly shortfall: Shortfall | undefined;
};

/**
 * What the bootstrap draws. The unit is the largest thing that was repeated, because only repetition shows noise: whole
 * rounds if trials were interleaved, whole trials if there are several, and stretches of time, several neighbours
 * together, if each build ran once. Stretches cannot show how one run differs from the next.
 */
export type Design = {
  readonly unit: 'round' | 'trial' | 'stretch';
  readonly a: Sample;
  readonly b: Sample;
};

export function designOf(trials: Trials): Design {
  if (trials.kind === 'interleaved') {
    return {
      unit: 'round',
      a: ofTrials(trials.rounds.map(({ a }) => a)),
      b: ofTrials(trials.rounds.map(({ b }) => b)),
    };
  }
  const { a, b } = trials;
  if (Math.min(a.length, b.length) >= fewestTrials) return { unit: 'trial', a: ofTrials(a), b: ofTrials(b) };
  return { unit: 'stretch', a: ofStretches(a), b: ofStretches(b) };
}

/** The number of independent units: neighbours that stay together count as one. */
export function independentUnits({ units, together }: Sample): number {
  return units.size / together;
}

function ofTrials(trials: readonly Trial[]): Sample {
  return { units: unitsOf(trials.map(({ blocks }) => blocks)), together: 1, ...sharedBy(trials) };
}

function ofStretches(trials: readonly Trial[]): Sample {
  const blocks = trials.flatMap((trial) => trial.blocks);
  const perStretch = Math.max(1, Math.ceil(blocks.length / mostStretches));
  const groups: (readonly Block[])[] = [];
  for (let from = 0; from < blocks.length; from += perStretch) groups.push(blocks.slice(from, from + perStretch));
  const units = unitsOf(groups);
  return { units, together: neighboursOf(units), ...sharedBy(trials) };
}

function sharedBy(trials: readonly Trial[]): Pick<Sample, 'trials' | 'shortfall'> {
  const known = trials.flatMap(({ shortfall }) => shortfall ?? []);
  return { trials: trials.length, shortfall: known.length < trials.length ? undefined : largest(known) };
}

/**
 * An estimated percentile varies with the number of answers of each stretch that lie above it. So the longest
 * autocorrelation among those series sets how many stretches stay together.
 */
function neighboursOf(units: Units): number {
  const all = answersWithin(units, Infinity);
  const lengths = (['p50', 'p95', 'p99'] as const).map((figure) => {
    const within = answersWithin(units, figureOf(units, everyUnit(units), figure));
    return blockLength(all.map((count, unit) => count - (within[unit] ?? 0)));
  });
  return Math.max(...lengths, blockLength(units.answers));
}
