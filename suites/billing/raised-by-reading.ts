import { must } from '../../engine/answer.ts';
import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { countIn, readAccount } from '../../stage/attachment/counts.ts';

/** Reads one after the other, before the account is left alone for as long. */
const readsInARow = 30;
/** Reading raises a count by at least so much in each of these rounds. */
const leastRise = 4;
/** It is left alone for that many times as long as it was read, so that the changes of another client come at other times. */
const rounds = [1, 1.7, 1.3, 2.3] as const;

/**
 * A count that rises while it is read, and hardly while it is left alone for longer, in turn: no other client attaches organizations
 * at those times alone. Only for a count that is wrong, because it takes many reads. Anything else shows nothing.
 */
export async function mustNotRiseByReading(api: Api, attachable: Attachable): Promise<void> {
  const { clock } = api.session;
  const evidence: Answer[] = [];
  let latest: number | undefined;
  for (const longer of rounds) {
    const startedAt = clock.now();
    const answers: Answer[] = [];
    while (answers.length < readsInARow) answers.push(await readAccount(api, attachable));
    const counts = answers.map(countIn);
    const [first, last] = [counts[0], counts.at(-1)];
    if (first === undefined || last === undefined || !isRising(counts) || last - first < leastRise) return;
    // The first read of a round may raise it, too.
    if (latest !== undefined && (first < latest || first > latest + 1)) return;
    latest = last;
    evidence.push(...answers.slice(0, 1), ...answers.slice(-1));
    await clock.sleep(longer * (clock.now() - startedAt));
  }
  const shown = evidence.map(countIn).join(', ');
  const expected = 'an organizationCount that reading does not change';
  const actual = `${shown} at the beginning and end of ${rounds.length} times ${readsInARow} reads, and hardly any change when it was not read for as long`;
  must(false, expected, actual, ...evidence);
}

function isRising(counts: readonly (number | undefined)[]): boolean {
  return counts.every((count, index) => count !== undefined && count >= (counts[index - 1] ?? count));
}
