import type { LoadRecord } from '../../reports/load/load-record.ts';

export type RecordRound = { readonly a: LoadRecord; readonly b: LoadRecord };

/**
 * The rounds of runs that were made by turns, whichever build went first in each; undefined where their starts say that
 * they were not. Single runs of each are no rounds: nothing tells by turns from one after the other.
 */
export function roundsOfRecords(
  a: readonly LoadRecord[],
  b: readonly LoadRecord[],
): readonly RecordRound[] | undefined {
  if (a.length !== b.length || a.length < 2) return undefined;
  const entries = [
    ...a.map((record) => ({ build: 'a' as const, record })),
    ...b.map((record) => ({ build: 'b' as const, record })),
  ].toSorted((one, other) => Date.parse(one.record.startedAt) - Date.parse(other.record.startedAt));
  const rounds: RecordRound[] = [];
  for (let at = 0; at < entries.length; at += 2) {
    const pair = entries.slice(at, at + 2);
    const first = pair.find(({ build }) => build === 'a');
    const second = pair.find(({ build }) => build === 'b');
    if (first === undefined || second === undefined) return undefined;
    rounds.push({ a: first.record, b: second.record });
  }
  return rounds;
}
