import { isSameTime } from '../core/instant.ts';
import { at } from '../core/json.ts';
import { type Item, listOperations, type Page, readPage } from '../core/page.ts';
import { sameJson } from '../core/same-json.ts';
import type { Recorded } from './recorded.ts';
import { createdOnce, eachItemOnce, newestFirst, type Shown } from '../promises/lists.ts';
import { type Found, type Recording, rule } from './seen.ts';

/** A page of a list, and what was asked for. */
type Turned = { readonly recorded: Recorded; readonly page: Page; readonly cursor: string | undefined };

/** A page and the one that its cursor led to, which lists what comes after it. */
type Step = { readonly from: Turned; readonly to: Turned };

/** Section 4.1: pages that follow one another, and section 2.1: pages of one list, in any order. */
export const walkRules = [rule(eachItemOnce, turns), rule(newestFirst, turns), rule(createdOnce, showings)];

/** The records of each page that an earlier entry shows too. Whoever makes a record anew under its ID also sets its updatedAt. */
function showings({ traffic }: Recording): readonly Found<readonly (readonly [Shown, Shown])[]>[] {
  const shown = new Map<string, Shown>();
  return pages(traffic).map(({ recorded: { exchange, route }, page }) => {
    const pairs = page.items.flatMap((item): readonly (readonly [Shown, Shown])[] => {
      const updatedAt = at(item.record, 'updatedAt');
      const name = JSON.stringify([route.operation, route.ownerId, item.id]);
      const one = shown.get(name);
      if (one !== undefined && isSameTime(at(one.item.record, 'updatedAt'), updatedAt) === true)
        return [[one, { item, page }]];
      shown.set(name, { item, page });
      return [];
    });
    return { subject: pairs, exchange };
  });
}

function turns({ traffic }: Recording): readonly Found<readonly Page[]>[] {
  return steps(traffic).map(({ from, to }) => ({ subject: [from.page, to.page], exchange: to.recorded.exchange }));
}

function pages(traffic: readonly Recorded[]): readonly Turned[] {
  return traffic.flatMap((recorded): readonly Turned[] => {
    const { route, isWhole, answer } = recorded;
    const isList = listOperations.some((operation) => operation === route.operation);
    const page = isList && isWhole ? readPage(answer) : undefined;
    const isPlain = [...route.query.values()].every((values) => values.length === 1);
    if (page === undefined || page.items.length === 0 || !isPlain) return [];
    return [{ recorded, page, cursor: route.query.get('cursor')?.[0] }];
  });
}

/**
 * The steps of a walk whose border surely did not move. The specification does not say what the cursor of a deleted item gives, so
 * the item must be seen again, unchanged, in that answer or in one to a later request. Only for models: a deleted data source may
 * still be listed, with an unknown mark.
 */
function steps(traffic: readonly Recorded[]): readonly Step[] {
  const lists = Map.groupBy(
    pages(traffic).filter(({ recorded: { isTimed, route } }) => isTimed && route.operation === 'listModels'),
    ({ recorded: { route } }) => JSON.stringify([route.ownerId, route.query.get('databaseConnectionId')]),
  );
  return [...lists.values()].flatMap((list) => {
    const byCursor = Map.groupBy(list, ({ cursor }) => cursor);
    const lastSeen = new Map<string, { readonly sentAt: number; readonly record: unknown }>();
    for (const { recorded, page } of list) {
      for (const { id, record } of page.items) {
        const before = lastSeen.get(id);
        const { sentAt } = recorded.exchange;
        if (before === undefined || before.sentAt <= sentAt) lastSeen.set(id, { sentAt, record });
      }
    }
    return list.flatMap((from) => {
      const last = from.page.items.at(-1);
      const seen = lastSeen.get(last?.id ?? '');
      if (last === undefined || seen === undefined || !sameJson(last.record, seen.record)) return [];
      return (byCursor.get(last.id) ?? [])
        .filter(({ recorded: { exchange } }) => exchange.sentAt >= from.recorded.exchange.receivedAt)
        .filter(({ recorded, page }) => seen.sentAt >= recorded.exchange.receivedAt || shows(page, last))
        .map((to) => ({ from, to }));
    });
  });
}

function shows({ items }: Page, { id, record }: Item): boolean {
  return items.some((item) => item.id === id && sameJson(item.record, record));
}
