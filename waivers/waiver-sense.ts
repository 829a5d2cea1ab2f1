import { nearest } from '../targets/nearest.ts';
import type { PartProblem } from '../targets/schema-problems.ts';
import type { WaiverFile } from './waiver-schema.ts';

/** What a waiver can name: a check's own id, and that of its requirement. */
export type Waivable = { readonly id: string; readonly requirement: string };

/** An id is quoted only if it looks like one: whatever else somebody wrote there may be a secret. */
const idPattern = /^[a-z]+\.[a-z0-9-]{1,60}(\/[a-z-]{1,40}){0,2}$/i;

/** Waivers that name nothing, and checks that two of them cover. */
export function waiverSenseProblems({ waivers }: WaiverFile, waivable: readonly Waivable[]): readonly PartProblem[] {
  const covered = new Map<string, number>();
  return waivers.flatMap(({ waives }, index): readonly PartProblem[] => {
    const path = ['waivers', index, 'waives'];
    const own = waivable.filter(({ id, requirement }) => id === waives || requirement === waives);
    if (own.length === 0) return [{ path, part: 'value', message: namesNothing(waives, waivable) }];
    const before = own.map(({ id }) => covered.get(id)).find((other) => other !== undefined);
    for (const { id } of own) covered.set(id, index);
    if (before === undefined) return [];
    const message = `waivers[${index}].waives covers what waivers[${before}] covers already; keep one of them`;
    return [{ path, part: 'value', message }];
  });
}

function namesNothing(waives: string, waivable: readonly Waivable[]): string {
  const likely = nearest(waives, [...new Set(waivable.flatMap(({ id, requirement }) => [requirement, id]))]);
  const advice = likely === undefined ? '"awc list" shows what there is' : `did you mean ${likely}?`;
  const name = idPattern.test(waives) ? `${waives}, which is no` : 'no';
  return `this waiver names ${name} check or requirement that can be violated; ${advice}`;
}
