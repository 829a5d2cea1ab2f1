import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { errorsOf } from '../../engine/session/errors/internal-errors.ts';
import { passingOf } from '../../engine/session/errors/passing-errors.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';

/** The operations that a run asks often enough. */
type Frequent = 'listModels' | 'listDataSources' | 'sendMessage';

/** A share of fewer requests shows nothing. */
const leastRequests = 100;
/** One in this many requests may end in an internal error, for which section 7 has a status. */
const rarity = 80;
/** So many errors, each some time after the one before, are more than an outage or two. */
const leastApart = 6;
/** Errors that the report shows. */
const mostShown = 3;

const options = { phase: 'last', variant: 'each-time', extended: true } as const;

/** Section 5, points 3 and 4: who has the role gets through, and not only at the second try. */
export const grantedEachTime: readonly Check[] = [
  check('access.granted', { ...options, on: 'listModels' }, async (api) => mustRarelyFail(api, 'listModels')),
  check('access.granted', { ...options, on: 'listDataSources' }, async (api) => mustRarelyFail(api, 'listDataSources')),
  check('access.granted', { ...options, on: 'sendMessage', uses: ['messages'] }, async (api) =>
    mustRarelyFail(api, 'sendMessage'),
  ),
];

function mustRarelyFail({ session }: Api, operation: Frequent): void {
  const { requests } = errorsOf(session, operation);
  if (requests < leastRequests) throw new Blocked(`needs ${leastRequests} requests in a run; it sent ${requests}`);
  const passing = passingOf(session, operation);
  if (passing.apart.length < leastApart || passing.requests * rarity <= requests) return;
  const expected = `at most one of ${rarity} requests to end in an internal error`;
  const actual = `${passing.requests} of ${requests}; each got another answer when it was sent again`;
  throw new Violation(expected, actual, passing.apart.slice(0, mostShown));
}
