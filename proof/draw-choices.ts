import fc from 'fast-check';
import { choices as axes } from '../reference/choices/choices.ts';
import { dataChoices } from '../reference/choices/data.ts';
import type { Choice } from '../reference/variation.ts';

/** What a deployment chooses, by axis; an axis that is not named keeps the reference's own value. */
export type Choices = Readonly<Record<string, string>>;

/** Values that cost several times what others do, because a probe sends all it may or waits for minutes: drawn less often. */
const dear: ReadonlySet<string> = new Set([
  'rate-quota none',
  'rate-scope writes',
  'rate-window bucket',
  'rate-window bucket-until-full',
  'pace sluggish',
  'assistant minutes',
]);

/** A value for some of all axes. */
export const drawnChoices: fc.Arbitrary<Choices> = drawnFrom(axes);

/** Deployments that behave in different ways around one world: making and reading it is most of what they cost. */
export type Neighbours = { readonly seed: number; readonly choices: readonly Choices[] };

/** How often a list has which size: short ones say most of what long ones do, and cost half as much. */
const size = fc.oneof(
  ...Object.entries({ 0: 1, 1: 2, 3: 4, 50: 2, 51: 2, 100: 1, 101: 1, 250: 1 }).map(([value, weight]) => ({
    weight,
    arbitrary: fc.constant(value),
  })),
);

const behaviour = axes.filter((axis) => !dataChoices.includes(axis));

/** `count` deployments that hold the same data. */
export function drawnNeighbours(count: number): fc.Arbitrary<Neighbours> {
  const each = fc.array(drawnFrom(behaviour), { minLength: count, maxLength: count });
  return fc
    .record({ seed: fc.nat(0xffff), held: drawnFrom(dataChoices), models: size, sources: size, each })
    .map(({ seed, held, models, sources, each }) => ({
      seed,
      choices: each.map((one) => ({ ...held, models, sources, ...one })),
    }));
}

/**
 * Draws a value for some of the axes, few in one half of the draws and most in the other; the rest keep the reference's
 * own. It shrinks axis by axis, so a false alarm ends as the smallest set of choices that raises it.
 */
function drawnFrom(from: readonly Choice[]): fc.Arbitrary<Choices> {
  return fc.oneof({ withCrossShrink: true }, chosenWith(from, 6, 1), chosenWith(from, 1, 3));
}

/** A value for about `some` of `none + some` axes. */
function chosenWith(from: readonly Choice[], none: number, some: number): fc.Arbitrary<Choices> {
  const drawn = from.map(({ axis, values }) => {
    const chosen = fc.oneof(
      ...Object.keys(values).map((value) => ({
        weight: dear.has(`${axis} ${value}`) ? 1 : 8,
        arbitrary: fc.constant([[axis, value] as const]),
      })),
    );
    const own = fc.constant<readonly (readonly [string, string])[]>([]);
    const arbitraries = [
      { weight: none, arbitrary: own },
      { weight: some, arbitrary: chosen },
    ];
    return fc.oneof({ withCrossShrink: true }, ...arbitraries);
  });
  return fc.tuple(...drawn).map((pairs) => Object.fromEntries(pairs.flat()));
}
