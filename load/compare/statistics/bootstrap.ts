import { type Design, independentUnits, type Sample } from '../design.ts';
import { drawWeights } from './draw.ts';
import { logLoss, perFigure, type PerFigure } from '../render/figure.ts';
import { combined, deviation, type Spread } from './spread.ts';
import { logFigures } from '../units.ts';

/** Draws from which a standard error is taken: enough to know it to 4%. */
const draws = 400;

/**
 * The standard error of each figure's logarithmic loss, by the block bootstrap. Where rounds are the unit, both builds'
 * trials of a round are drawn together, so that what the machine did during the round cancels in the ratio, as it does in
 * the measurement itself.
 *
 * A draw of n from n varies less than the truth by (n − 1) / n, because it is drawn around the sample's own mean; with
 * few trials that matters, so the standard error is widened by it, and quantiles are those of Student's t. (Hesterberg
 * 2015, "What teachers should know about the bootstrap", shows how far plain bootstrap percentiles fall short of their
 * level below some 30 units. They also cannot reach the far tails that a family of figures asks for.)
 */
export function bootstrapSpreads(design: Design, random: () => number): PerFigure<Spread> {
  const { unit, a, b } = design;
  if (unit !== 'round') {
    const ofA = spreadsOfOne(a, random);
    const ofB = spreadsOfOne(b, random);
    return perFigure((figure) => combined(ofA[figure], ofB[figure]));
  }
  const { size } = a.units;
  const drawn = Array.from({ length: draws }, () => {
    const weights = drawWeights(size, 1, random);
    return { before: logFigures(a.units, weights), after: logFigures(b.units, weights) };
  });
  return perFigure((figure) =>
    widened(
      drawn.map(({ before, after }) => logLoss(figure, before[figure], after[figure])),
      size,
    ),
  );
}

function spreadsOfOne(sample: Sample, random: () => number): PerFigure<Spread> {
  const { size } = sample.units;
  const drawn = Array.from({ length: draws }, () =>
    logFigures(sample.units, drawWeights(size, sample.together, random)),
  );
  return perFigure((figure) =>
    widened(
      drawn.map((values) => values[figure]),
      independentUnits(sample),
    ),
  );
}

function widened(values: readonly number[], units: number): Spread {
  return { log: deviation(values) * Math.sqrt(units / (units - 1)), degrees: units - 1 };
}
