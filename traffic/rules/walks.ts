import type { Item, Page } from '../../core/page.ts';
import { sameJson } from '../../core/same-json.ts';
import { eachItemOnce, newestFirst } from '../../promises/lists.ts';
import type { RecordedPage } from '../recorded-pages.ts';
import { type Found, type Recording, rule } from '../seen.ts';

/** A page and the one that its cursor led to, which lists what comes after it. */
type Step = { readonly from: RecordedPage; readonly to: RecordedPage };

/** Section 4.1: pages that follow one another. */
export const walkRules = [rule(eachItemOnce, turns), rule(newestFirst, turns)];

function turns({ pages }: Recording): readonly Found<readonly Page[]>[] {
  return steps(pages).map(({ from, to }) => ({ subject: [from.page, to.page], exchange: to.recorded.exchange }));
}

/**
 * The steps of a walk whose border surely did not move. The specification does not say what the cursor of a deleted item gives, so
 * the item must be seen again, unchanged, in that answer or in one to a later request. Only for models: a deleted data source may
 * still be listed, with an unknown mark.
 */
function steps(pages: readonly RecordedPage[]): readonly Step[] {
  const lists = Map.groupBy(
    pages.filter(({ recorded: { isTimed, route } }) => isTimed && route.operation === 'listModels'),
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
      // An item that changed may have moved in the list.
      if (last === undefined || seen === undefined || !sameJson(last.record, seen.record)) return [];
      return (
        (byCursor.get(last.id) ?? [])
          .filter(({ recorded: { exchange } }) => exchange.sentAt >= from.recorded.exchange.receivedAt)
          // The last item still existed: a later page shows it, or the next page itself shows it by mistake.
          .filter(({ recorded, page }) => seen.sentAt >= recorded.exchange.receivedAt || shows(page, last))
          .map((to) => ({ from, to }))
      );
    });
  });
}

function shows({ items }: Page, { id, record }: Item): boolean {
  return items.some((item) => item.id === id && sameJson(item.record, record));
}
