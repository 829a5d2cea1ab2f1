import { nearestAlike } from '../core/nearest.ts';
import type { PartProblem } from '../targets/schema-problems.ts';
import type { WaiverFile } from './waiver-schema.ts';

/** A waiver can name a check by its own id or by its requirement's. */
export type Waivable = { readonly id: string; readonly requirement: string };

/** Messages quote only text that looks like an id. Any other text may be a secret. */
const idPattern = /^[a-z]+\.[a-z0-9-]{1,60}(\/[a-z-]{1,40}){0,2}$/i;

/** Waivers that name no check, and checks that two waivers cover. */
export function waiverSenseProblems({ waivers }: WaiverFile, waivable: readonly Waivable[]): readonly PartProblem[] {
  const covered = new Map<string, number>();
  return waivers.flatMap(({ waives }, index): readonly PartProblem[] => {
    const path = ['waivers', index, 'waives'];
    const own = waivable.filter(({ id, requirement }) => id === waives || requirement === waives);
    if (own.length === 0) return [{ path, part: 'value', message: namesNothing(waives, waivable) }];
    const before = own.map(({ id }) => covered.get(id)).find((other) => other !== undefined);
    for (const { id } of own) covered.set(id, index);
    if (before === undefined) return [];
    const message = `waivers[${index}].waives covers the same check as waivers[${before}]; remove one`;
    return [{ path, part: 'value', message }];
  });
}

function namesNothing(waives: string, waivable: readonly Waivable[]): string {
  const likely = nearestAlike(waives, [...new Set(waivable.flatMap(({ id, requirement }) => [requirement, id]))]);
  const advice = likely === undefined ? '"awc list" shows all requirements' : `did you mean ${likely}?`;
  const name = idPattern.test(waives) ? `${waives}, which is not a` : 'no';
  return `this waiver names ${name} check or requirement that can be violated; ${advice}`;
}
