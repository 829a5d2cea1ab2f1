import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { looksDeleted, strayMark } from '../../engine/history/deletion-mark.ts';
import { refusedCursors } from '../../engine/session/answers/refused-cursors.ts';
import { Violation } from '../../engine/verdict.ts';
import { type Answer, summary } from '../../core/exchange.ts';
import { type Item, type ListOperation, listOperations } from '../../core/page.ts';
import { askedOf } from '../../core/route.ts';
import { describe } from '../../core/text.ts';
import { untilHeard } from '../../stage/deletion/list-lag.ts';
import { isTaken } from '../../stage/deletion/disposables.ts';
import { givenLists, givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { givenWalk, type Walk } from '../../stage/lists/walk.ts';
import { sourceIdOf } from '../models/model-filters.ts';

/** Lists that are read again at most, because a page of each was refused. */
const mostLists = 4;

/** A refusal, and the item whose ID was the cursor. */
type Refused = { readonly answer: Answer; readonly item: Item };

/** Section 2.2, for every page that the run asked for: a cursor may be refused for some time only, or now and then. */
export const refusedAtLast: readonly Check[] = listOperations.map((list) =>
  check('paging.any-id-is-cursor', { on: list, phase: 'last', variant: 'at-last', extended: true }, async (api) => {
    await givenLongestList(api, list, 2);
    const refused = (await givenLists(api, list)).map((fixture) => ({ fixture, all: refusedIn(api, fixture) }));
    for (const { fixture, all } of refused.filter(({ all: some }) => some.length > 0).slice(0, mostLists))
      await mustBeNoItems(api, fixture, all);
  }),
);

/** What was refused to the reader of the list behind one of its items, except those that this run deleted. */
function refusedIn(api: Api, { list, organizationId, admin, walk }: ListFixture): readonly Refused[] {
  const { authorization } = as(admin);
  return refusedCursors(api.session).flatMap((answer) => {
    const asked = askedOf(answer.exchange);
    const cursor = asked?.query.get('cursor')?.[0];
    const isOfList = asked?.operation === list && asked.ownerId === organizationId;
    const item = walk.items.find(({ id }) => id === cursor);
    const isAdmins = answer.exchange.request.headers['authorization'] === authorization;
    if (!isOfList || !isAdmins || item === undefined || isDeleted(api, list, organizationId, item)) return [];
    return [{ answer, item }];
  });
}

function isDeleted(api: Api, list: ListOperation, organizationId: string, item: Item): boolean {
  return isTaken(api, organizationId, (list === 'listDataSources' ? item.id : sourceIdOf(item)) ?? '');
}

/** Another client may have deleted an item whose ID was refused: then the list no longer shows it as it was. */
async function mustBeNoItems(
  api: Api,
  { list, organizationId, admin }: ListFixture,
  refused: readonly Refused[],
): Promise<void> {
  const latest = refused.at(-1);
  if (latest === undefined) return;
  await untilHeard(api, latest.answer);
  const now = await givenWalk(api, list, as(admin), organizationId, { limit: 100 });
  const wrong = refused.find(({ item }) => isStillListed(now, item));
  if (wrong === undefined) return;
  const { answer, item } = wrong;
  throw new Violation(
    `a page behind ${describe(item.id)}, which is listed before and after`,
    summary(answer),
    [answer, ...now.pages.map((page) => page.answer)].map(({ exchange }) => exchange),
  );
}

function isStillListed({ items }: Walk, { id, record }: Item): boolean {
  const now = items.find((item) => item.id === id);
  if (now === undefined || strayMark(record, now.record, undefined) !== undefined) return false;
  return !looksDeleted(
    now.record,
    items.map((item) => item.record),
  );
}
