import fc from 'fast-check';
import { choices as axes } from '../reference/choices/choices.ts';
import { dataChoices } from '../reference/choices/data.ts';
import type { Choice } from '../reference/variation.ts';

/** What a deployment chooses, by axis; an axis that is not named keeps the reference's own value. */
export type Choices = Readonly<Record<string, string>>;

/** How often a value is drawn where its axis is. */
const usual = 8;

/** Values that are drawn less often: they cost several times what others do, because a probe sends all it may, lists are long or answers take minutes. */
const weights: ReadonlyMap<string, number> = new Map([
  ['rate-quota none', 1],
  ['rate-scope writes', 1],
  ['rate-window bucket', 1],
  ['rate-window bucket-until-full', 1],
  ['rate-scope operation', 2],
  ['pace sluggish', 1],
  ['assistant minutes', 1],
  ['assistant always-40-s', 1],
  ...['300-ms', '1-s', '1200-ms', '2-s', '6-s'].map((time): readonly [string, number] => [
    `assistant always-${time}`,
    4,
  ]),
  ...['models', 'sources'].flatMap((list) =>
    ['0', '100', '101', '250'].map((size): readonly [string, number] => [`${list} ${size}`, 4]),
  ),
]);

/** A value for some of all axes. */
export const drawnChoices: fc.Arbitrary<Choices> = drawnFrom(axes);

/** Deployments that behave in different ways around one world: making and reading it is most of what they cost. */
export type Neighbours = { readonly seed: number; readonly choices: readonly Choices[] };

/** Axes of behaviour that change how every record of a list is written, or where it stands. */
const looks: readonly string[] = ['envelope-extras', 'json-writing', 'order-of-ties', 'timestamps'];

const lengths = dataChoices.filter(({ axis }) => axis === 'models' || axis === 'sources');
const data = axes.filter((one) => !lengths.includes(one) && (dataChoices.includes(one) || looks.includes(one.axis)));
const behaviour = axes.filter((one) => !lengths.includes(one) && !data.includes(one));

/**
 * `count` deployments that hold the same data and show it alike. Lists are seldom left as long as the reference's own: short
 * ones say most of what long ones do, and cost half as much.
 */
export function drawnNeighbours(count: number): fc.Arbitrary<Neighbours> {
  const each = fc.array(drawnFrom(behaviour), { minLength: count, maxLength: count });
  return fc
    .record({ seed: fc.nat(0xffff), held: drawnFrom(data), long: chosenWith(lengths, 1, 8), each })
    .map(({ seed, held, long, each }) => ({ seed, choices: each.map((one) => ({ ...held, ...long, ...one })) }));
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
        weight: weights.get(`${axis} ${value}`) ?? usual,
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
