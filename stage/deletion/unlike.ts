import type { Api } from '../../engine/api.ts';
import { at } from '../../core/json.ts';
import { givenLists } from '../lists/lists.ts';
import type { Disposable } from './still-listed.ts';

/** As many items as a page has by default. */
const pageSize = 50;
/** A list is taken as that many parts of one length: its front, its middle and its end. */
const parts = 3;
/** Fields on which a deletion may depend: what kind of data source it is, how it is reached, and how far it was synchronized. */
const fields = [
  'dialect',
  'sshEnabled',
  'sslEnabled',
  'isDemo',
  'isServiceWarehouse',
  'hasCompletedFirstSync',
  'lastSyncStatus',
  'lastHealthStatus',
] as const;

/** How data sources that may be deleted compare with others. */
export type Comparison = {
  /**
   * In how many respects it is unlike all of the others: the part of its list, whether the first page shows it, and some fields. What
   * is done with several of them shows more if they are unlike.
   */
  readonly unlikeness: (one: Disposable, others: readonly Disposable[]) => number;
  /** The largest unlikeness. */
  readonly mostUnlike: number;
  /** How many places are between two of one list. */
  readonly distance: (one: Disposable, other: Disposable) => number;
};

export async function comparisonIn(api: Api): Promise<Comparison> {
  const lists = await givenLists(api, 'listDataSources');
  const itemsOf = ({ organizationId }: Disposable) =>
    lists.find((list) => list.organizationId === organizationId)?.walk.items ?? [];
  const placeOf = (one: Disposable): number => itemsOf(one).findIndex(({ id }) => id === one.id);
  const respectsOf = (one: Disposable): readonly string[] => {
    const place = placeOf(one);
    const part = Math.floor((parts * place) / Math.max(1, itemsOf(one).length));
    const states = fields.map((name) => at(one.record, name) ?? null);
    return [part, place < pageSize, ...states].map((value) => JSON.stringify(value));
  };
  return {
    unlikeness: (one, others) => {
      const known = others.map(respectsOf);
      return respectsOf(one).filter((value, index) => known.every((other) => other[index] !== value)).length;
    },
    mostUnlike: 2 + fields.length,
    distance: (one, other) => Math.abs(placeOf(one) - placeOf(other)),
  };
}

/** The first of those with the highest rank. */
export function highest<One>(all: readonly One[], rankOf: (one: One) => number): One | undefined {
  const ranks = all.map(rankOf);
  return all[ranks.indexOf(Math.max(...ranks))];
}

/** Up to `most` of them, one after the other: each is the highest of those left, by its rank beside those chosen before it. */
export function highestInTurn<One>(
  all: readonly One[],
  most: number,
  rankOf: (one: One, chosen: readonly One[]) => number,
): readonly One[] {
  const chosen: One[] = [];
  while (chosen.length < Math.min(most, all.length)) {
    const next = highest(
      all.filter((one) => !chosen.includes(one)),
      (one) => rankOf(one, chosen),
    );
    if (next === undefined) break;
    chosen.push(next);
  }
  return chosen;
}
