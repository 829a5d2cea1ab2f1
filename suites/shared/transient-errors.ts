import type { Api } from '../../engine/api.ts';
import type { Exchange } from '../../core/exchange.ts';
import type { Operation } from '../../spec/requirement.ts';
import { errorsOf, listsAfterDeletions, type Single, writesOf } from '../../engine/session/errors/internal-errors.ts';
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

/** Rounds of simultaneous messages: two, and more while each of them has an internal error. */
const rounds = { least: 2, most: 6 } as const;
/** Internal errors that come at random meet every round with at most this probability, where they accuse. */
const mostChance = 1e-5;

/** The internal errors of each round so far. */
export type Rounds = readonly (readonly Exchange[])[];

/** Whether another round is needed to see whether internal errors recur. */
export function mayRecur(played: Rounds): boolean {
  return played.length < rounds.least || (played.length < rounds.most && played.every(({ length }) => length > 0));
}

/**
 * Internal errors of `count` simultaneous requests are no accident if most have one in every round, or if every round has one
 * and the errors of other such requests in this run are too rare to explain that.
 */
export function mustBeAccidents(
  api: Api,
  operation: Operation,
  played: Rounds,
  count: number,
  expected: string,
  what = 'simultaneous requests',
): void {
  if (played.some(({ length }) => length === 0)) return;
  const { requests, errors } = errorsOf(api.session, operation);
  const others = { requests: requests - count * played.length, errors: errors - played.flat().length };
  const rate = Math.min(1, (others.errors + 1) / Math.max(1, others.requests));
  const chance = (1 - (1 - rate) ** count) ** played.length;
  const areMost = played.every(({ length }) => 2 * length > count);
  if (!areMost && chance > mostChance) return;
  const often = `${played.length} of ${played.length} times`;
  const actual = areMost
    ? `an internal error for most of ${count} ${what}, ${often}`
    : `an internal error among ${count} ${what}, ${often}, and for ${others.errors} of ${others.requests} other ones`;
  throw new Violation(expected, actual, played.flat());
}

/**
 * Internal errors before organizations are attached, or data sources deleted, are no accident if those of other requests are too rare
 * to explain them, even if each write was done when its request was repeated.
 */
export function mustSucceedAtOnce({ session }: Api, operation: Single): void {
  const done = writesOf(session, operation);
  const erred = done.flatMap((one) => one.erred ?? []);
  const { requests, errors } = errorsOf(session, operation);
  const others = { requests: requests - done.length - erred.length, errors: errors - erred.length };
  const what = operation === 'attachOrganization' ? 'organizations that are attached' : 'data sources that are deleted';
  mustBeRare(`${what} at the first try`, 'an internal error first', erred, done.length, others);
}

/** The same for the first list of data sources after each deletion, even if it was answered when its request was repeated. */
export function mustListAtOnce({ session }: Api): void {
  const { lists, erred } = listsAfterDeletions(session);
  const { requests, errors } = errorsOf(session, 'listDataSources');
  const others = { requests: requests - lists, errors: errors - erred.length };
  mustBeRare('a list of data sources after each deletion', 'an internal error', erred, lists, others);
}

/** The errors of that many occasions are no accident if those of other requests are too rare to explain them. */
export function mustBeRare(
  expected: string,
  what: string,
  erred: readonly Exchange[],
  occasions: number,
  others: { readonly requests: number; readonly errors: number },
): void {
  const rate = Math.min(1, (others.errors + 1) / Math.max(1, others.requests));
  const ways = erred.reduce((product, _, index) => (product * (occasions - index)) / (index + 1), 1);
  if (erred.length < 2 || ways * rate ** erred.length > mostChance) return;
  const compared = `${what} for ${erred.length} of ${occasions}, and for ${others.errors} of ${others.requests} other requests`;
  throw new Violation(expected, compared, erred);
}
