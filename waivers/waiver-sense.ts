import { nearestAlike } from '../core/names/nearest.ts';
import type { PartProblem } from '../targets/schema-problems.ts';
import type { WaiverFile } from './waiver-schema.ts';

/** A waiver can name a check by its own id or by its requirement's. */
export type Waivable = { readonly id: string; readonly requirement: string };

/** Messages quote only text that looks like an id. Any other text may be a secret. */
const idPattern = /^[a-z]+\.[a-z0-9-]{1,60}(\/[a-z-]{1,40}){0,2}$/i;

/** Waivers and accepted gaps that name no check, and checks that two of a list cover. */
export function waiverSenseProblems(file: WaiverFile, waivable: readonly Waivable[]): readonly PartProblem[] {
  const { waivers, acceptedGaps } = file;
  const [waived, accepted] = [waivers.map(({ waives }) => waives), acceptedGaps.map((gap) => gap.notExercised)];
  return [
    ...problemsOf({ list: 'waivers', field: 'waives', what: 'waiver', aim: 'violated' }, waived, waivable),
    ...problemsOf({ list: 'acceptedGaps', field: 'notExercised', what: 'gap', aim: 'exercised' }, accepted, waivable),
  ];
}

type Names = { readonly list: string; readonly field: string; readonly what: string; readonly aim: string };

function problemsOf(names: Names, ids: readonly string[], waivable: readonly Waivable[]): readonly PartProblem[] {
  const { list, field } = names;
  const covered = new Map<string, number>();
  return ids.flatMap((named, index): readonly PartProblem[] => {
    const path = [list, index, field];
    const own = waivable.filter(({ id, requirement }) => id === named || requirement === named);
    if (own.length === 0) return [{ path, part: 'value', message: namesNothing(names, named, waivable) }];
    const before = own.map(({ id }) => covered.get(id)).find((other) => other !== undefined);
    for (const { id } of own) covered.set(id, index);
    if (before === undefined) return [];
    const message = `${list}[${index}].${field} covers the same check as ${list}[${before}]; remove one`;
    return [{ path, part: 'value', message }];
  });
}

function namesNothing({ what, aim }: Names, waives: string, waivable: readonly Waivable[]): string {
  const likely = nearestAlike(waives, [...new Set(waivable.flatMap(({ id, requirement }) => [requirement, id]))]);
  const advice = likely === undefined ? '"awc list" shows all requirements' : `did you mean ${likely}?`;
  const name = idPattern.test(waives) ? `${waives}, which is not a` : 'no';
  return `this ${what} names ${name} check or requirement that can be ${aim}; ${advice}`;
}
