import type { Weights } from '../units.ts';

/**
 * How often each of `size` units occurs in one bootstrap draw of as many: stretches of `together` neighbours, each from a
 * random start, around the end back to the beginning, so that no unit is favoured.
 */
export function drawWeights(size: number, together: number, random: () => number): Weights {
  const weights = new Float64Array(size);
  for (let drawn = 0; drawn < size; drawn += together) {
    const start = Math.floor(random() * size);
    for (let offset = 0; offset < Math.min(together, size - drawn); offset += 1) {
      const index = (start + offset) % size;
      weights[index] = (weights[index] ?? 0) + 1;
    }
  }
  return weights;
}

/** Two halves of the units drawn at random, neighbours kept together; what does not fill both halves is left out. */
export function drawHalves(size: number, together: number, random: () => number): readonly [Weights, Weights] {
  const stretches = Math.floor(size / together);
  const order = Float64Array.from({ length: stretches }, (_, index) => index);
  shuffle(order, random);
  const half = Math.floor(stretches / 2);
  const weightsOf = (chosen: Float64Array): Weights => {
    const set = new Set(chosen);
    return Float64Array.from({ length: size }, (_, index) => (set.has(Math.floor(index / together)) ? 1 : 0));
  };
  return [weightsOf(order.slice(0, half)), weightsOf(order.slice(half, 2 * half))];
}

/** In place: trends are found with thousands of shuffles. */
export function shuffle(values: Float64Array, random: () => number): void {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [values[last], values[other]] = [values[other] ?? 0, values[last] ?? 0];
  }
}
