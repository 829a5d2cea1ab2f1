import { must, mustSucceed } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { adminOf, givenLists } from '../../stage/lists/lists.ts';
import { requestPage, widest } from '../../stage/lists/pages.ts';
import { type Item, type ListOperation, type Page, readPage } from '../../core/page.ts';
import { instantOf } from '../../core/instant.ts';
import { givenStillList } from '../../stage/lists/stillness.ts';
import { cursorIsLastId } from '../../promises/lists.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import type { Principal } from '../../core/target.ts';
import type { Walk } from '../../stage/lists/walk.ts';

/** A list whose first page is readable but not the whole list in large pages: another list, or small pages, must not silently replace it. */
type Unread = { readonly organizationId: string; readonly admin: Principal; readonly first: Page };

/** The maximum number of pages read of one such list. */
const mostPages = 30;

async function unreadLists(api: Api, list: ListOperation): Promise<readonly Unread[]> {
  const read = (await unlessBlocked(() => givenLists(api, list))) ?? [];
  const unread: Unread[] = [];
  for (const { id } of api.session.target.organizations) {
    const admin = adminOf(api, id);
    const isRead = read.some(({ organizationId, walk }) => organizationId === id && isWide(walk));
    if (admin === undefined || isRead) continue;
    const first = readPage(await requestPage(api, list, as(admin), id, { limit: 50 }));
    if (first !== undefined) unread.push({ organizationId: id, admin, first });
  }
  return unread;
}

/** Whether its pages have the widest limit: those of a list that cannot be read like that have none. */
function isWide({ pages }: Walk): boolean {
  return pages.every(({ answer }) => answer.exchange.request.path.includes(`limit=${widest['limit']}`));
}

/** Section 4.1, for the first page of each of them. */
export async function mustNameLastItems(api: Api, list: ListOperation): Promise<void> {
  for (const { first } of await unreadLists(api, list)) mustNameLastItem(first);
}

/** Section 4.1, for a page that is not the last. */
export function mustNameLastItem(page: Page): void {
  mustKeep(cursorIsLastId, page, page.answer);
}

/** Every page of each of them leads to the next one, also if the pages are as large as those that could not be read. */
export async function mustLeadOn(api: Api, list: ListOperation): Promise<void> {
  for (const unread of await unreadLists(api, list)) {
    await mustReadOn(api, list, unread, 50);
    const first = readPage(await requestPage(api, list, as(unread.admin), unread.organizationId, widest));
    if (first !== undefined) await mustReadOn(api, list, { ...unread, first }, 100);
  }
}

async function mustReadOn(
  api: Api,
  list: ListOperation,
  { organizationId, admin, first }: Unread,
  limit: number,
): Promise<void> {
  let page: Page | undefined = first;
  for (let count = 0; count < mostPages && page !== undefined && page.nextCursor !== null; count += 1) {
    const query: { readonly limit: number; readonly cursor: string } = { limit, cursor: page.nextCursor };
    const answer = await requestPage(api, list, as(admin), organizationId, query);
    mustSucceed(answer, 'with the nextCursor of the page before');
    page = readPage(answer);
    must(page !== undefined, 'a page after the first one', answer.problem ?? 'no readable page', answer);
  }
}

/** How much older than an answer a record is that was surely there before, in milliseconds: clocks may differ, and copies may lag. */
const surelyOlderMs = 60_000;

/** A list that showed nothing shows records a moment later that were created long before. */
export async function mustNotSeemEmpty(api: Api, list: ListOperation): Promise<void> {
  for (const { organizationId, admin, emptyBefore, walk } of await givenLists(api, list)) {
    const [empty] = emptyBefore?.pages ?? [];
    if (empty === undefined) continue;
    const answeredAt = Date.parse(empty.answer.headers['date'] ?? '');
    // Another client may have filled the list meanwhile, but then its records are new.
    const nowMs = Number.isNaN(answeredAt) ? newestIn(walk.items) : answeredAt;
    const older = walk.items.filter(({ createdAt }) => (instantOf(createdAt) ?? nowMs) < nowMs - surelyOlderMs);
    if (older.length === 0) continue;
    await givenStillList(api, list, admin, organizationId);
    const evidence = [empty.answer, ...walk.pages.slice(0, 1).map(({ answer }) => answer)];
    const expected = `the first walk of the list of ${organizationId} to show ${older.length} records that were created long before`;
    must(false, expected, 'no items, and all of them a moment later', ...evidence);
  }
}

function newestIn(items: readonly Item[]): number {
  return Math.max(...items.map(({ createdAt }) => instantOf(createdAt) ?? Number.NEGATIVE_INFINITY));
}
