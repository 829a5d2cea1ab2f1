import { type Api, as } from '../../engine/api.ts';
import { isListed } from '../../stage/deletion/still-listed.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Item } from '../../core/page.ts';
import type { ListFixture } from '../../stage/lists/lists.ts';
import { type Answer, isDoubtful } from '../../core/exchange.ts';
import { givenPageIn, requestPage } from '../../stage/lists/pages.ts';
import { walkBy } from '../../stage/lists/walk.ts';
import { sourceIdOf } from '../models/model-filters.ts';

/**
 * Whether the item is no longer in the list when it is read again, is marked as deleted there, or no longer belongs to that data
 * source. If the list refuses the cursor that its page before gave, no refusal shows that an item is gone: then false. Blocked if the list
 * can no longer be read up to the item for another reason.
 */
export async function isGone(
  api: Api,
  { list, admin, organizationId }: Omit<ListFixture, 'walk'>,
  id: string,
  sourceId?: string,
): Promise<boolean> {
  const isIt = (item: Item): boolean => item.id === id && (sourceId === undefined || sourceIdOf(item) === sourceId);
  const items: Item[] = [];
  let refusesCursor = false;
  try {
    await walkBy(
      async (query) => {
        const answer = await requestPage(api, list, as(admin), organizationId, query);
        refusesCursor = query.cursor !== undefined && isRefused(answer);
        const page = givenPageIn({ list, organizationId }, answer);
        items.push(...page.items);
        return page;
      },
      { limit: 100 },
    );
  } catch (error) {
    // What refuses one cursor may refuse the cursors of this walk too.
    if (!(error instanceof Blocked) || !(refusesCursor || items.some(isIt))) throw error;
  }
  return items.some(isIt) || !refusesCursor ? !isListed(items, isIt) : false;
}

function isRefused(answer: Answer): boolean {
  return answer.status >= 400 && answer.status < 500 && answer.status !== 429 && !isDoubtful(answer);
}
