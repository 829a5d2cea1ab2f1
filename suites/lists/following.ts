import { mustSucceed } from '../../engine/answer.ts';
import { type Api, as, type Query } from '../../engine/api.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { adminsOf, givenLists, type ListFixture } from '../../stage/lists/lists.ts';
import { givenPage, knownPage, requestOnce, requestPage } from '../../stage/lists/pages.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenFilterCases } from '../models/model-filters.ts';
import { sinceChange } from '../../engine/session/used-up.ts';
import type { Principal } from '../../core/target.ts';
import { Violation } from '../../engine/verdict.ts';
import { heardMs } from '../../promises/deletion.ts';
import { cleanupMs } from '../../stage/deletion/models-left.ts';
import { isGone } from './is-gone.ts';
import { mustAgree } from './list-agreement.ts';
import { mustRead } from './must-read.ts';

/** The items of the longest page. */
const mostInPage = 100;

/**
 * The last item of the longest list of another organization, behind its cursor: an index may hold one organization, and then the list
 * begins again. A list that one page shows is best, because later pages may leave the last item out.
 */
export async function mustFollowElsewhere(api: Api, { list, organizationId }: ListFixture): Promise<void> {
  const others = (await givenLists(api, list)).filter((one) => one.organizationId !== organizationId);
  const isInPages = ({ walk }: ListFixture): number => Number(walk.items.length > mostInPage);
  const [best] = others.toSorted(
    (one, other) => isInPages(one) - isInPages(other) || other.walk.items.length - one.walk.items.length,
  );
  if (best !== undefined && best.walk.items.length >= 3) await mustFollow(api, best, best.walk.items.length - 2, 1);
  await mustFollowDelicate(api, others);
}

/** An ID that careless handling breaks may only be in a list that is read without cursors, because one page shows it. */
async function mustFollowDelicate(api: Api, lists: readonly ListFixture[]): Promise<void> {
  for (const fixture of lists) {
    const place = fixture.walk.items.slice(0, -1).findIndex(({ id }) => encodeURIComponent(id) !== id);
    if (place >= 0) return mustFollow(api, fixture, place, 1);
  }
}

/** A cursor that one admin received, with a page of one item, works for another one too, if there is one. */
export async function mustFollowFirst(api: Api, fixture: ListFixture): Promise<void> {
  const admin = (await otherReader(api, fixture)) ?? fixture.admin;
  await knownPage(api, fixture, { limit: 1 });
  await mustFollow(api, { ...fixture, admin }, 0, 2);
}

/** Another admin who can read the list: one whose role is declared wrongly would block the check. */
async function otherReader(api: Api, fixture: ListFixture): Promise<Principal | undefined> {
  for (const admin of adminsOf(api, fixture.organizationId)) {
    if (admin !== fixture.admin && isSuccess(await requestOnce(api, { ...fixture, admin }, {}))) return admin;
  }
  return undefined;
}

/** The cursor of a filtered page is a cursor of the whole list too, and does not bring the filter with it. */
export async function mustFollowFiltered(api: Api, fixture: ListFixture): Promise<void> {
  const cases = (await unlessBlocked(() => givenFilterCases(api))) ?? [];
  const several = cases.find(({ list, models }) => list === fixture && models.length > 1);
  if (several === undefined) return;
  const query = { databaseConnectionId: several.sourceId, limit: 1 };
  // Asked afresh, because a cursor may be sought in the last result of its caller.
  const page = await givenPage(api, fixture.list, as(fixture.admin), fixture.organizationId, query);
  const position = fixture.walk.items.findIndex(({ id }) => id === page.nextCursor);
  if (position >= 0) await mustFollow(api, fixture, position, 3);
}

/** How long after a deletion a copy of a list may still show what a cleanup job removes, in milliseconds. */
const restlessMs = cleanupMs + heardMs;

/**
 * The page after the first item, asked for again. If it differs from the list around it, the list is read again once no deletion of
 * this run can explain that.
 */
export async function mustFollowLater(api: Api, fixture: ListFixture): Promise<void> {
  const judge = await followed(api, fixture, 0, 2, requestAgain);
  try {
    await judge?.();
  } catch (error) {
    const leftMs = restlessMs - sinceChange(api.session, 'deleteDataSource');
    if (!(error instanceof Violation) || leftMs <= 0) throw error;
    await api.session.clock.sleep(leftMs);
    await judge?.();
  }
}

/** Sends the request, whatever was asked before. */
function requestAgain(api: Api, { list, admin, organizationId }: ListFixture, query: Query): Promise<Answer> {
  return requestPage(api, list, as(admin), organizationId, query);
}

/** The page after the item at a place must be what the first walk showed there. */
export async function mustFollow(api: Api, fixture: ListFixture, position: number, limit: number): Promise<void> {
  const judge = await followed(api, fixture, position, limit, requestOnce);
  await judge?.();
}

/** Asks for that page, and returns how to judge it; undefined if the item is gone. */
async function followed(
  api: Api,
  fixture: ListFixture,
  position: number,
  limit: number,
  ask: typeof requestAgain,
): Promise<(() => Promise<void>) | undefined> {
  const { walk } = fixture;
  const cursor = walk.items[position]?.id ?? '';
  // Walks send the cursor last: the order of parameters means nothing.
  const answer = await ask(api, fixture, { cursor, limit });
  if (!isSuccess(answer) && (await isGone(api, fixture, cursor))) return undefined;
  mustSucceed(answer, "with an item's ID as cursor");
  const expected = walk.items.slice(position + 1, position + 1 + limit);
  const where = `after item ${position + 1} of ${walk.items.length}, limit=${limit}`;
  return () => mustAgree(api, fixture, mustRead(answer), expected, where);
}
