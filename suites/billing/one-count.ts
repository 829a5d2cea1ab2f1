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
/** So many looks must show the same counts. The others may miss a copy. */
const fewestLooks = 4;

/**
 * Several answers at once must show one count. Copies may show the attachment of another client at different times. So it is a
 * violation only if most looks show the same counts, and none shows another one.
 */
export async function mustShowOneCount(api: Api, attachable: Attachable, atOnce: readonly Answer[]): Promise<void> {
  const shown = countsIn(atOnce);
  if (shown.length < 2) return;
  const looks = [atOnce];
  for (const [index, pauseMs] of pausesMs.entries()) {
    const stillToCome = pausesMs.length - index;
    if (looks.length === fewestLooks || looks.length + stillToCome < fewestLooks) break;
    await api.session.clock.sleep(pauseMs);
    const answers = await accountAtOnce(api, attachable);
    const counts = countsIn(answers);
    if (counts.some((count) => !shown.includes(count))) return;
    if (counts.length === shown.length) looks.push(answers);
  }
  const expected = 'one organizationCount in several answers at once, for each admin of the owner';
  const actual = `${shown.join(' and ')}, in each of ${looks.length} looks, the first half a minute before the others`;
  must(looks.length < fewestLooks, expected, actual, ...atOnce, ...(looks.at(-1) ?? []));
}

/** The different counts, in ascending order. */
function countsIn(answers: readonly Answer[]): readonly number[] {
  const counts = answers.map(countIn).filter((count) => count !== undefined);
  return [...new Set(counts)].toSorted((one, other) => one - other);
}
