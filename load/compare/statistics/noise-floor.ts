import { type Design, independentUnits, type Sample } from '../design.ts';
import { drawHalves } from './draw.ts';
import { type Figure, perFigure, type PerFigure } from '../render/figure.ts';
import { deviation, type Spread } from './spread.ts';
import { logFigures } from '../units.ts';

/** Random halves that each build is split into. */
const splits = 120;

/**
 * The A/A noise: how different two runs of the same build look. Each build's units are split into random halves, again and
 * again, and the halves are compared with each other. Two halves of n / 2 units differ by more than two
 * builds of n do, so the spread is scaled by the square root of that:
 *
 *   halves   σ² (2/n + 2/n)        builds   σ² (1/n + 1/n)        ratio 2
 *
 * It is larger than the standard error of an interleaved comparison where the machine drifted, because rounds cancel
 * drift and halves do not.
 */
export function noiseFloor({ a, b }: Design, random: () => number): PerFigure<Spread> {
  const ofA = squaresOf(a, random);
  const ofB = squaresOf(b, random);
  const degrees = Math.max(1, independentUnits(a) + independentUnits(b) - 2);
  return perFigure((figure) => ({ log: Math.sqrt((ofA[figure] + ofB[figure]) / 2), degrees }));
}

/** For each figure, the mean squared difference that a comparison of two builds would show, both being this one. */
function squaresOf({ units, together }: Sample, random: () => number): PerFigure<number> {
  const { size } = units;
  const used = Math.floor(Math.floor(size / together) / 2) * together;
  const differences = Array.from({ length: splits }, () => {
    const [left, right] = drawHalves(size, together, random);
    return { left: logFigures(units, left), right: logFigures(units, right) };
  });
  const mean = (figure: Figure): number =>
    differences.reduce((sum, { left, right }) => sum + (left[figure] - right[figure]) ** 2, 0) / splits;
  return perFigure((figure) => (mean(figure) * used) / size);
}

/** How much one trial of a build differs from the next, for each figure; NaN where no trial was repeated. */
export function trialToTrial({ unit, a, b }: Design): PerFigure<number> {
  const ofA = trialSpreads(a);
  const ofB = trialSpreads(b);
  return perFigure((figure) => (unit === 'stretch' ? NaN : Math.sqrt((ofA[figure] ** 2 + ofB[figure] ** 2) / 2)));
}

function trialSpreads({ units }: Sample): PerFigure<number> {
  const each = Array.from({ length: units.size }, (_, only) => {
    const weights = new Float64Array(units.size);
    weights[only] = 1;
    return logFigures(units, weights);
  });
  return perFigure((figure) => deviation(each.map((values) => values[figure])));
}
