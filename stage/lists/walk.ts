import type { Api, Caller, Query } from '../../engine/api.ts';
import { type Answer, bodyBytes } from '../../core/exchange.ts';
import type { Item, ListOperation, Page } from '../../core/page.ts';
import { givenPage, knownPage, type List } from './pages.ts';

/** A list read page by page. Not complete if it has more than {@link maxWalkItems} items or {@link maxWalkBytes}. */
export type Walk = { readonly items: readonly Item[]; readonly pages: readonly Page[]; readonly complete: boolean };

/** The most items that a walk reads; a longer list is judged by its first items. */
export const maxWalkItems = 2000;

/** The most bytes of pages that a walk keeps. Parsed, they take several times as much memory. */
export const maxWalkBytes = 32 * 1024 * 1024;

/** Reads a list page by page, see {@link walkBy}. */
export function givenWalk(
  api: Api,
  list: ListOperation,
  caller: Caller,
  organizationId: string,
  query: Query,
): Promise<Walk> {
  return walkBy((asked) => givenPage(api, list, caller, organizationId, asked), query);
}

/** A walk of pages that checks share, with `query` on every page. */
export function knownWalk(api: Api, list: List, query: Query, mostItems?: number): Promise<Walk> {
  return walkBy((asked) => knownPage(api, list, asked), query, mostItems);
}

/**
 * Reads a list by nextCursor until there is none or hasMore is false, `query` on every page. Bounded in items and in
 * pages; a repeated cursor ends it.
 */
export async function walkBy(
  pageOf: (query: Query) => Promise<Page>,
  query: Query,
  mostItems = maxWalkItems,
): Promise<Walk> {
  const pages: Page[] = [];
  const items: Item[] = [];
  const cursors = new Set<string>();
  let bytes = 0;
  let cursor: string | null = null;
  for (;;) {
    const page: Page = await pageOf(cursor === null ? query : { ...query, cursor });
    pages.push(page);
    bytes += bodyBytes(page.answer.exchange);
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null || !page.hasMore) return { items, pages, complete: true };
    if (page.items.length === 0 || cursors.has(cursor) || items.length >= mostItems || bytes >= maxWalkBytes)
      return { items, pages, complete: false };
    cursors.add(cursor);
  }
}

/** How long after that answer the list was read, in milliseconds. */
export function readAfterMs({ pages }: Walk, { exchange }: Answer): number {
  return (pages.at(-1)?.answer.exchange.receivedAt ?? exchange.receivedAt) - exchange.receivedAt;
}
