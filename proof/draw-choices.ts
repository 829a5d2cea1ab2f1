import fc from 'fast-check';
import { choices as axes } from '../reference/choices/choices.ts';

/**
 * Draws a value for some of the axes, few or many; the others keep the reference's own. It shrinks to fewer axes, so a
 * false alarm ends as the smallest set of choices that raises it.
 */
export const drawnChoices: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .subarray(
    axes.map(({ axis }) => axis),
    { minLength: 0, maxLength: axes.length },
  )
  .chain((some) => {
    const drawn = axes
      .filter(({ axis }) => some.includes(axis))
      .map(({ axis, values }) => [axis, fc.constantFrom(...Object.keys(values))] as const);
    return fc.record(Object.fromEntries(drawn));
  });
