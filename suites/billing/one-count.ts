import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../core/exchange.ts';
import type { Attachable } from '../../core/attachables.ts';
import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { accountAtOnce, countIn } from '../../stage/attachment/counts.ts';

/**
 * The pauses before an account is read again that shows several counts at once, in milliseconds. After the first one every copy
 * must show what was attached before. They differ, because another client may attach and detach at regular times.
 */
const pausesMs = [30_000, 13_000, 17_000, 11_000, 19_000] as const;

/** How often the account is read by several requests at once in one look, at most. */
const batches = 5;

/**
 * Several answers at once must show one count. Copies may show the attachment of another client at different times. So it is a
 * violation only if each look shows the same counts.
 */
export async function mustShowOneCount(api: Api, attachable: Attachable, atOnce: readonly Answer[]): Promise<void> {
  const shown = countsIn(atOnce);
  if (shown.length < 2) return;
  let last = atOnce;
  // A requirement that is violated already needs no further proof.
  const pauses = api.isKnown ? [] : pausesMs;
  for (const pauseMs of pauses) {
    await api.session.clock.sleep(pauseMs);
    last = await accountAtOnce(api, attachable);
    // By chance none of these answers may come from a copy.
    for (let more = 1; more < batches && countsIn(last).length < shown.length; more += 1)
      last = [...last, ...(await accountAtOnce(api, attachable))];
    if (!isDeepStrictEqual(countsIn(last), shown)) return;
  }
  const expected = 'one organizationCount in several answers at once, for each admin of the owner';
  const everyTime =
    pauses.length === 0 ? '' : `, in each of ${1 + pauses.length} looks, the first half a minute before the others`;
  const actual = `${shown.join(' and ')}${everyTime}`;
  must(false, expected, actual, ...atOnce, ...last);
}

/** The different counts, in ascending order. */
function countsIn(answers: readonly Answer[]): readonly number[] {
  const counts = answers.map(countIn).filter((count) => count !== undefined);
  return [...new Set(counts)].toSorted((one, other) => one - other);
}
