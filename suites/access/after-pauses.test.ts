import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Requests are counted, and so are the pauses of more than four seconds before them. The time before the first one is a pause, too. */
type Arrival = { readonly nth: number; readonly isAfterPause: boolean; readonly pauses: number };

/** The requests for which `fails` holds are answered with that status. */
function failing(status: number, fails: (arrival: Arrival) => boolean) {
  return (behind: Deployment, clock: Clock): Deployment => {
    let nth = 0;
    let pauses = 0;
    let latest = Number.NEGATIVE_INFINITY;
    return (request) => {
      nth += 1;
      const isAfterPause = clock.now() - latest > 4000;
      if (isAfterPause) pauses += 1;
      latest = clock.now();
      return fails({ nth, isAfterPause, pauses }) ? Promise.resolve(errorAnswer(status)) : behind(request);
    };
  };
}

test.each([
  ['each pause', 500, ({ isAfterPause }: Arrival) => isAfterPause, 1],
  ['the first pause', 500, ({ nth }: Arrival) => nth === 1, 0],
  ['three pauses', 500, ({ isAfterPause, pauses }: Arrival) => isAfterPause && pauses <= 3, 0],
  ['each pause, by a gateway', 502, ({ isAfterPause }: Arrival) => isAfterPause, 0],
] as const)('an internal error after %s: %i', async (_when, status, fails, violations) => {
  const said = await saidBy('access.granted/listModels/after-pauses', {
    through: failing(status, fails),
    after: [
      'paging.has-more/listModels',
      'paging.walk/listModels',
      'paging.any-id-is-cursor/listModels',
      'access.granted/listModels',
      'access.granted/listDataSources',
    ],
  });
  expect(said).toEqual(
    Array.from({ length: violations }, () =>
      expect.stringMatching(
        /^failed: expected a read that is answered after each of 3 pauses of 6\.0 s; got an internal/,
      ),
    ),
  );
});
