import { blockLength } from './statistics/block-length.ts';
import { answersWithin, everyUnit, figureOf, type Units, unitsOf } from './units.ts';
import type { Block, Trial, Trials } from './trial.ts';

/** Fewer trials of a build than this say too little of how its trials vary. */
export const fewestTrials = 4;

/** A long trial is cut into at most this many stretches, so that a comparison of hours takes no more than one of minutes. */
const mostStretches = 240;

/** Of one build: what is drawn from, and how many neighbours are drawn together. */
export type Sample = { readonly units: Units; readonly together: number; readonly trials: number };

/**
 * What the bootstrap draws. The unit is the largest thing that was repeated, because only repetition shows noise: whole
 * rounds where trials were interleaved, whole trials where there are several, and stretches of time, several neighbours
 * together, where each build ran once. Stretches know nothing of how one run differs from the next.
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

/** How many units a sample is worth, counting neighbours that stay together as one. */
export function independentUnits({ units, together }: Sample): number {
  return units.size / together;
}

function ofTrials(trials: readonly Trial[]): Sample {
  return { units: unitsOf(trials.map(({ blocks }) => blocks)), together: 1, trials: trials.length };
}

function ofStretches(trials: readonly Trial[]): Sample {
  const blocks = trials.flatMap((trial) => trial.blocks);
  const perStretch = Math.max(1, Math.ceil(blocks.length / mostStretches));
  const groups: (readonly Block[])[] = [];
  for (let from = 0; from < blocks.length; from += perStretch) groups.push(blocks.slice(from, from + perStretch));
  const units = unitsOf(groups);
  return { units, together: neighboursOf(units), trials: trials.length };
}

/**
 * What makes an estimated percentile wander is how many answers of each stretch lie above it. So the longest memory among
 * those series sets how many stretches belong together.
 */
function neighboursOf(units: Units): number {
  const all = answersWithin(units, Infinity);
  const lengths = (['p50', 'p95', 'p99'] as const).map((figure) => {
    const within = answersWithin(units, figureOf(units, everyUnit(units), figure));
    return blockLength(all.map((count, unit) => count - (within[unit] ?? 0)));
  });
  return Math.max(...lengths, blockLength(units.answers));
}
