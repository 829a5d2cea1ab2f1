import { type Api, as } from '../../engine/api.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Item } from '../../core/page.ts';
import { adminOf, givenLists } from '../../stage/lists/lists.ts';
import { lossBetween } from '../../stage/lists/snapshot.ts';
import { givenWalk, type Walk } from '../../stage/lists/walk.ts';

/** The models have to stay the same for this many times as long as passed from the look before the deletion to the look after it. */
const calmTimes = 15;
/** At most this many milliseconds of that are waited for. */
const waitMostMs = 45_000;

/** The models of an organization before a deletion and after it. */
type Around = { readonly organizationId: string; readonly earlier: Walk; readonly later: Walk };

/** Recognizes the models of a list that deletions of this run may remove. */
type LeftOut = (walk: Walk) => (item: Item) => boolean;

/**
 * Blocked, for the reason given, unless the models changed around the deletion only: nothing was added or lost from the first look of
 * the run to the one before the deletion, and nothing is from the one after it on. Another client that removes models once would
 * hardly do so in that moment.
 */
export async function givenCalmOtherwise(
  api: Api,
  { organizationId, earlier, later }: Around,
  leftOut: LeftOut,
  reason: string,
): Promise<void> {
  const { clock } = api.session;
  const first = (await givenLists(api, 'listModels')).find((one) => one.organizationId === organizationId)?.walk;
  const admin = adminOf(api, organizationId);
  if (first === undefined || admin === undefined || !isSame(first, earlier, leftOut)) throw new Blocked(reason);
  const calmMs = beginOf(earlier) - endOf(first) + clock.now() - endOf(later);
  const waitMs = calmTimes * (endOf(later) - beginOf(earlier)) - calmMs;
  if (waitMs > waitMostMs) throw new Blocked(reason);
  await clock.sleep(Math.max(0, waitMs));
  const last = await givenWalk(api, 'listModels', as(admin), organizationId, { limit: 100 });
  if (!isSame(later, last, leftOut)) throw new Blocked(reason);
}

/** Whether both hold the same models in the same order, apart from those that are left out. */
function isSame(one: Walk, other: Walk, leftOut: LeftOut): boolean {
  return (
    one.complete &&
    other.complete &&
    lossBetween(one, other, leftOut(one)) === undefined &&
    lossBetween(other, one, leftOut(other)) === undefined
  );
}

function beginOf({ pages: [page] }: Walk): number {
  return page?.answer.exchange.sentAt ?? Number.NEGATIVE_INFINITY;
}

function endOf({ pages }: Walk): number {
  return pages.at(-1)?.answer.exchange.receivedAt ?? Number.POSITIVE_INFINITY;
}
