import { isSuccess } from '../../core/exchange.ts';
import { isAfter } from '../../core/instant.ts';
import { type Item, readPage } from '../../core/page.ts';
import {
  type Continued,
  cursorKeepsPlace,
  cursorReachesTheRest,
  type FollowedBy,
  listLagMs,
} from '../../promises/deletion.ts';
import type { Recorded } from '../recorded.ts';
import { type Found, type Recording, rule } from '../seen.ts';

/** Section 4.5: what follows a data source that was deleted. */
export const deletionRules = [rule(cursorKeepsPlace, continued), rule(cursorReachesTheRest, followed)];

/** An accepted deletion, the answer to a later request that gave its ID as cursor, and all pages of that list. */
type Turn = { readonly deletion: Recorded; readonly turn: Recorded; readonly pages: readonly Recorded[] };

function continued(recording: Recording): readonly Found<Continued>[] {
  return turns(recording).map(({ deletion, turn, pages }) => ({
    subject: { deleted: deletion.answer, listed: [...itemsOf(pages).values()], answer: turn.answer },
    exchange: turn.exchange,
  }));
}

/**
 * The turns during which two older items surely were in the list: a page showed them before, and another one some time after. A
 * single one may have been deleted by a client that was not recorded, and be shown by a copy that lags behind.
 */
function followed(recording: Recording): readonly Found<FollowedBy>[] {
  return turns(recording).flatMap(({ deletion, turn, pages }) => {
    const { sentAt, receivedAt } = turn.exchange;
    const before = itemsOf(pages.filter(({ exchange }) => exchange.receivedAt <= sentAt));
    const later = itemsOf(pages.filter(({ exchange }) => exchange.sentAt >= receivedAt + listLagMs));
    const asked = recording.traffic.filter(({ exchange, isTimed }) => !isTimed || exchange.sentAt < receivedAt);
    const deletedIds = new Set(asked.flatMap(deletedIn));
    const own = before.get(deletion.route.id);
    const [next, ...more] = [...before.values()].filter(
      ({ id, createdAt }) => later.has(id) && !deletedIds.has(id) && isAfter(own?.createdAt, createdAt) === true,
    );
    if (next === undefined || more.length === 0 || !isOfSomeSize(turn)) return [];
    return [{ subject: { deleted: deletion.answer, answer: turn.answer, next }, exchange: turn.exchange }];
  });
}

/** The first accepted deletion of each data source, with each answer to a later request that gave its ID as cursor. */
function turns({ traffic }: Recording): readonly Turn[] {
  const certain = traffic.filter(({ isWhole, isTimed }) => isWhole && isTimed);
  const pages = certain.filter(({ route: { operation } }) => operation === 'listDataSources');
  const byCursor = Map.groupBy(pages, ({ route: { ownerId, query } }) =>
    JSON.stringify([ownerId, ...(query.get('cursor') ?? [])]),
  );
  const byList = Map.groupBy(pages, ({ route }) => route.ownerId);
  const deletions = Map.groupBy(
    certain.filter(({ route: { operation }, answer }) => operation === 'deleteDataSource' && isSuccess(answer)),
    ({ route: { ownerId, id } }) => JSON.stringify([ownerId, id]),
  );
  return [...deletions].flatMap(([place, [deletion]]) => {
    if (deletion === undefined) return [];
    return (byCursor.get(place) ?? [])
      .filter(({ exchange }) => exchange.sentAt >= deletion.exchange.receivedAt)
      .map((turn) => ({ deletion, turn, pages: byList.get(deletion.route.ownerId) ?? [] }));
  });
}

/** A refused deletion counts too: it may have been carried out. */
function deletedIn({ route }: Recorded): readonly string[] {
  return route.operation === 'deleteDataSource' ? [route.id] : [];
}

/** A limit of 0 has no items anyway, and a repeated one has several readings. */
function isOfSomeSize({ route }: Recorded): boolean {
  const [limit, ...more] = route.query.get('limit') ?? ['1'];
  return more.length === 0 && /^[1-9]\d*$/.test(limit ?? '');
}

/** By ID, as a page showed them last. */
function itemsOf(pages: readonly Recorded[]): ReadonlyMap<string, Item> {
  return new Map(pages.flatMap(({ answer }) => readPage(answer)?.items ?? []).map((item) => [item.id, item]));
}
