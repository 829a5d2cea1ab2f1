import type { Api } from '../../engine/api.ts';
import type { Exchange } from '../../core/exchange.ts';
import { Violation } from '../../engine/verdict.ts';

/**
 * The result, and the requests that ended in an internal error meanwhile and were then sent again. The sender tolerates
 * internal errors that are rare in the whole run; simultaneous requests may cause them only when they meet.
 */
export async function withTransientErrors<Made>(
  api: Api,
  make: () => Promise<Made>,
): Promise<{ readonly made: Made; readonly stumbled: readonly Exchange[] }> {
  const before = new Set(api.exchanges);
  const made = await make();
  return { made, stumbled: api.exchanges.filter((one) => one.passing === true && !before.has(one)) };
}

/** Internal errors for most of the simultaneous requests in every round are no accident. */
export function mustBeAccidents(rounds: readonly (readonly Exchange[])[], count: number, expected: string): void {
  if (rounds.some((stumbled) => 2 * stumbled.length <= count)) return;
  throw new Violation(
    expected,
    `an internal error for most of ${count} requests, ${rounds.length} times in a row`,
    rounds.flat(),
  );
}
