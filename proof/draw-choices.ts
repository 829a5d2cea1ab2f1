import fc from 'fast-check';
import { choices as axes } from '../reference/choices/choices.ts';

/** Values that cost several times what others do, because a probe sends all it may: drawn less often. */
const dear: ReadonlySet<string> = new Set(['rate-quota none', 'rate-scope writes', 'rate-window bucket-until-full']);

/**
 * Draws a value for some of the axes, few in one half of the draws and most in the other; the rest keep the reference's
 * own. It shrinks axis by axis, so a false alarm ends as the smallest set of choices that raises it.
 */
export const drawnChoices: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { withCrossShrink: true },
  chosenWith(6, 1),
  chosenWith(1, 3),
);

/** A value for about `some` of `none + some` axes. */
function chosenWith(none: number, some: number): fc.Arbitrary<Readonly<Record<string, string>>> {
  const drawn = axes.map(({ axis, values }) => {
    const chosen = fc.oneof(
      ...Object.keys(values).map((value) => ({
        weight: dear.has(`${axis} ${value}`) ? 1 : 4,
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
