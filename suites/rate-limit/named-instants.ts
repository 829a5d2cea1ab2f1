import type { Answer } from '../../core/exchange.ts';
import { retryAfterOf } from '../../core/implied-resets.ts';
import { must } from '../../engine/answer.ts';
import type { RateProbe } from '../../stage/rate-limit/rate-probe.ts';

/** A clock may be wrong, and a time written in another zone. */
const toleranceMs = 24 * 60 * 60 * 1000;

/** What a time since 1970 is counted in, and how many milliseconds that is. */
const units = [
  ['milliseconds', 1],
  ['seconds', 1000],
] as const;

/**
 * No 429 names the instant of the reset where it must say how many milliseconds are left. The wait would last for weeks or decades, so
 * a request that passes before shows that it is none.
 */
export async function mustNotNameInstant(
  limited: readonly Answer[],
  probeLike: (refused: Answer) => RateProbe,
): Promise<void> {
  const refused = limited.find((answer) => unitOfInstant(answer) !== undefined);
  if (refused === undefined) return;
  const tried = await probeLike(refused).send();
  if (tried.status === 429) return;
  const actual = `${retryAfterOf(refused)}, which are the ${unitOfInstant(refused)} since 1970, and a request that passed long before`;
  must(false, 'retryAfterMs, the milliseconds until the window resets', actual, refused, tried);
}

function unitOfInstant(answer: Answer): string | undefined {
  const value = retryAfterOf(answer);
  if (value === undefined) return undefined;
  const isNow = (unitMs: number): boolean => Math.abs(value * unitMs - answer.exchange.receivedAt) < toleranceMs;
  return units.find(([, unitMs]) => isNow(unitMs))?.[0];
}
