import { isSuccess } from '../core/exchange.ts';
import { readPage } from '../core/page.ts';
import { type Continued, cursorKeepsPlace } from '../promises/deletion.ts';
import type { Recorded } from './recorded.ts';
import { type Found, type Recording, rule } from './seen.ts';

/** Section 4.5: what follows a data source that was deleted. */
export const deletionRules = [rule(cursorKeepsPlace, continued)];

/** The first accepted deletion of each data source, with each answer to a later request that gave its ID as cursor. */
function continued({ traffic }: Recording): readonly Found<Continued>[] {
  const certain = traffic.filter(({ isWhole, isTimed }) => isWhole && isTimed);
  const pages = certain.filter(({ route: { operation } }) => operation === 'listDataSources');
  const byCursor = Map.groupBy(pages, ({ route: { ownerId, query } }) =>
    JSON.stringify([ownerId, ...(query.get('cursor') ?? [])]),
  );
  const listedBy = new Map(
    [...Map.groupBy(pages, ({ route }) => route.ownerId)].map(([ownerId, list]) => [ownerId, itemsOf(list)]),
  );
  const deletions = Map.groupBy(
    certain.filter(({ route: { operation }, answer }) => operation === 'deleteDataSource' && isSuccess(answer)),
    ({ route: { ownerId, id } }) => JSON.stringify([ownerId, id]),
  );
  return [...deletions].flatMap(([place, [first]]) => {
    if (first === undefined) return [];
    const listed = listedBy.get(first.route.ownerId) ?? [];
    return (byCursor.get(place) ?? [])
      .filter(({ exchange }) => exchange.sentAt >= first.exchange.receivedAt)
      .map(({ answer, exchange }) => ({ subject: { deleted: first.answer, listed, answer }, exchange }));
  });
}

function itemsOf(pages: readonly Recorded[]) {
  return pages.flatMap(({ answer }) => readPage(answer)?.items ?? []);
}
