import type { Api } from '../../engine/api.ts';
import { check, type Check, type CheckOptions } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { RequirementId } from '../../spec/catalogue.ts';

/**
 * A check that reports how an invariant fared in the whole run, after `show` has given it something to judge. Immune: other traffic does
 * not change the shape of an answer.
 */
export function invariantCheck(id: RequirementId, show: (api: Api) => Promise<unknown>, options: CheckOptions): Check {
  return check(id, { isImmune: true, ...options }, async (api) => {
    await show(api);
    mustHaveKept(api, id);
  });
}

/** No answer broke the requirement. Blocked if no answer exercised it. */
export function mustHaveKept({ session }: Api, id: RequirementId): void {
  const { kept, violation } = session.invariant(id);
  if (violation !== undefined) throw violation;
  if (kept === 0) throw new Blocked('no answer of this run exercised the requirement');
}
