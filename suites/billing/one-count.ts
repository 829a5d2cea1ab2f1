import type { Answer } from '../../core/exchange.ts';
import type { Attachable } from '../../core/attachables.ts';
import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { accountAtOnce, countIn } from '../../stage/attachment/counts.ts';

/**
 * The pauses before an account is read again that shows several counts at once, in milliseconds. After the first one every copy
 * must show what was attached before. They differ, because another client may attach and detach at regular times.
 */
const pausesMs = [30_000, 13_000, 17_000] as const;

/**
 * Several answers at once must show one count. Copies may show the attachment of another client at different times. So it is a
 * violation only if exactly the same counts are shown after each pause.
 */
export async function mustShowOneCount(api: Api, attachable: Attachable, atOnce: readonly Answer[]): Promise<void> {
  const shown = countsIn(atOnce);
  if (shown.length < 2) return;
  let latest = atOnce;
  for (const pauseMs of pausesMs) {
    await api.session.clock.sleep(pauseMs);
    latest = await accountAtOnce(api, attachable);
    if (countsIn(latest).join() !== shown.join()) return;
  }
  const expected = 'one organizationCount in several answers at once, for each admin of the owner';
  const actual = `${shown.join(' and ')}, in each of ${pausesMs.length + 1} looks within a minute`;
  must(false, expected, actual, ...atOnce, ...latest);
}

/** The different counts, in ascending order. */
function countsIn(answers: readonly Answer[]): readonly number[] {
  const counts = answers.map(countIn).filter((count) => count !== undefined);
  return [...new Set(counts)].toSorted((one, other) => one - other);
}
