import { isAfter } from '../core/instant.ts';
import type { Item, Page } from '../core/page.ts';
import { describe } from '../core/text.ts';
import { promised } from './judgement.ts';

/** Section 4.1: of pages that follow one another, no item was created after one that came before it. */
export const newestFirst = promised('paging.newest-first', (pages: readonly Page[]) => {
  let before: { readonly item: Item; readonly page: Page } | undefined;
  let compared = 0;
  for (const page of pages) {
    for (const item of page.items) {
      const isNewer = before === undefined ? undefined : isAfter(item.createdAt, before.item.createdAt);
      if (before !== undefined && isNewer === true) {
        const evidence = [...new Set([before.page.answer.exchange, page.answer.exchange])];
        return { expected: 'the newest first', actual: `${timeOf(item)} after ${timeOf(before.item)}`, evidence };
      }
      if (isNewer !== undefined) compared += 1;
      before = { item, page };
    }
  }
  return compared > 0 ? 'kept' : undefined;
});

function timeOf({ id, createdAt }: Item): string {
  return `${describe(id)} of ${describe(createdAt)}`;
}
