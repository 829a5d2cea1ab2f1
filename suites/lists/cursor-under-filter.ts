import { mustNotBe5xx } from '../../engine/answer.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { readPage } from '../../core/page.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenFilterCases, sourceIdOf } from '../models/model-filters.ts';

/**
 * A model as cursor of a list that is filtered by another data source than its own. Nobody issued it for that list, so that
 * anything but a 5xx will do: what it gives is recorded. Nothing is sent where no organization has such models.
 */
export async function tryCursorUnderFilter(api: Api): Promise<void> {
  const cases = (await unlessBlocked(() => givenFilterCases(api))) ?? [];
  for (const { list, sourceId, models } of cases) {
    const { items } = list.walk;
    const last = items.findLastIndex((item) => item === models.at(-1));
    const place = items.findIndex((item, index) => index < last && sourceIdOf(item) !== sourceId);
    const cursor = items[place];
    if (cursor === undefined) continue;
    const query = { databaseConnectionId: sourceId, cursor: cursor.id, limit: 1 };
    const answer = await api.listModels(as(list.admin), list.organizationId, query);
    const next = items.find((item, index) => index > place && sourceIdOf(item) === sourceId);
    const shown = readPage(answer)?.items[0]?.id;
    const outcome = shown === undefined ? 'nothing' : shown === next?.id ? 'what follows it' : 'something else';
    const value = isSuccess(answer) ? outcome : summary(answer);
    api.session.observe('paging.cursor-under-filter', value, answer.exchange);
    mustNotBe5xx(answer, `with a cursor of another filter, ${cursor.id}`);
    return;
  }
}
