import type { Check } from '../../engine/check.ts';
import type { Clock } from '../../core/clock.ts';
import type { Budget } from '../plan.ts';

/** Why a check is left out when its turn has come, from now on. What is judged on all that was seen costs nothing. */
export function leftOutFor({ ms, leftOut }: Budget, clock: Clock): (check: Check<string>) => string | undefined {
  const endsAt = clock.now() + ms;
  return ({ id, phase }) => {
    if (Object.hasOwn(leftOut, id)) return leftOut[id];
    return phase === 'last' || clock.now() < endsAt
      ? undefined
      : 'left out: the time of the budget was over before its turn came';
  };
}
