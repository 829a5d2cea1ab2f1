import { mustNotBe5xx } from '../../engine/answer.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { type ListOperation, readPage } from '../../core/page.ts';
import { shown } from '../../core/text.ts';
import { givenLists, givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { knownPage } from '../../stage/lists/pages.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenFilterCases, sourceIdOf } from '../models/model-filters.ts';
import { someOf } from '../shared/some-of.ts';

const unknownCursors = ['', "'", '🦉'] as const;

/** A gateway may refuse such a query itself. The first one is a number that no column holds. */
const oddCursors = ['9'.repeat(300), 'awc-nobody\u0000issued-this'] as const;

/** Section 2.2: what a cursor that the deployment did not issue means is open, but it causes no 5xx. */
export function unknownCursor(list: ListOperation): Check {
  return check('paging.unknown-cursor', { on: list }, async (api) => {
    const fixture = await givenLongestList(api, list, 1);
    await knownPage(api, fixture, {});
    const cursors = [await otherListsCursor(api, fixture), ...oddCursors, ...unknownCursors];
    for (const cursor of someOf(list, cursors, 2)) {
      const isOdd = oddCursors.some((odd) => odd === cursor);
      const answer = await api[list](as(fixture.admin), fixture.organizationId, { cursor }, { judged: !isOdd });
      const outcome = isSuccess(answer) ? `${readPage(answer)?.items.length ?? '?'} items` : summary(answer);
      api.session.observe('paging.unknown-cursor', `${list} cursor=${shown(cursor, 40)}: ${outcome}`, answer.exchange);
      if (!isOdd || !isGateways(answer)) mustNotBe5xx(answer, `with cursor=${shown(cursor, 40)}`);
    }
    if (list === 'listModels') await tryCursorUnderFilter(api);
  });
}

/** The ID of an item of the other list of the organization; without one, an ID that nothing has. */
async function otherListsCursor(api: Api, { list, organizationId }: ListFixture): Promise<string> {
  const other = list === 'listModels' ? 'listDataSources' : 'listModels';
  const lists = (await unlessBlocked(() => givenLists(api, other))) ?? [];
  const [item] = lists.find((one) => one.organizationId === organizationId)?.walk.items ?? [];
  return item?.id ?? '00000000-0000-4000-8000-000000000000';
}

/**
 * Sends a model as cursor of a list that is filtered by another data source. The deployment did not issue the cursor for that
 * list, so any answer but a 5xx is legal and is recorded. Sends nothing if no organization has such models.
 */
async function tryCursorUnderFilter(api: Api): Promise<void> {
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
