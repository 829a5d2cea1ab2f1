import { mustNotBe5xx } from '../../engine/answer.ts';
import { check, type Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { cursorKeepsPlace, cursorReachesTheRest } from '../../promises/deletion.ts';
import { givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { mustKeep } from '../shared/must-keep.ts';

/** Lists change under a deletion, so it has its own phase. */
const alone = { phase: 'deletions', uses: ['deletions'] } as const;

/** Section 4.5: the ID of a deleted data source as cursor. */
export const deletedCursors: readonly Check[] = [
  check('delete.cursor-no-5xx', alone, async (api) => {
    const { afterCursor, disposable } = await givenAcceptedDeletion(api);
    mustNotBe5xx(afterCursor, `after ${disposable.id}, which was deleted`);
  }),

  check('delete.cursor-keeps-place', alone, async (api) => {
    const { afterCursor, after, before, deleted, disposable } = await givenAcceptedDeletion(api);
    const items = before.sources.get(disposable.organizationId)?.items ?? [];
    const place = items.findIndex(({ id }) => id === disposable.id);
    if (place < 1)
      throw new Blocked(`${disposable.id} was the newest data source, so the page after it equals the first page`);
    mustKeep(cursorKeepsPlace, { deleted, listed: items, first: after.items[0], answer: afterCursor });
  }),

  check('delete.cursor-reaches-the-rest', alone, async (api) => {
    const { afterCursor, before, atLast, deleted, disposable } = await givenAcceptedDeletion(api);
    const { organizationId, id } = disposable;
    const items = before.sources.get(organizationId)?.items ?? [];
    const still = new Set(atLast.sources.get(organizationId)?.items.map((item) => item.id));
    const following = items.slice(items.findIndex((item) => item.id === id) + 1).filter((item) => still.has(item.id));
    const [next] = following;
    if (next === undefined) throw new Blocked(`${id} was the oldest data source, so nothing follows it`);
    mustKeep(cursorReachesTheRest, { deleted, answer: afterCursor, next });
  }),
];
