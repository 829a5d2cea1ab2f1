import { must } from '../../engine/answer.ts';
import type { Walk } from '../../stage/lists/lists.ts';
import type { Item, Page } from '../../core/page.ts';
import { describe } from '../../core/text.ts';

/** What lies between two instants that one of them, written without a fraction, cannot tell apart, in milliseconds. */
const withinSecondMs = 999;

/**
 * Section 4.1: no item was created after one that came before it in the walk. Unreadable times are not compared, and where
 * two are written with unequal precision, less than a second says nothing.
 */
export function mustBeNewestFirst({ pages }: Walk): void {
  let newer: { item: Item; page: Page } | undefined;
  for (const page of pages) {
    for (const item of page.items) {
      const times = [newer?.item.createdAt, item.createdAt].map((time) => Date.parse(time ?? ''));
      const [before, after] = times;
      if (newer !== undefined && before !== undefined && after !== undefined) {
        const actual = `${describe(item.id)} of ${item.createdAt} after ${describe(newer.item.id)} of ${newer.item.createdAt}`;
        const leewayMs = newer.item.createdAt?.length === item.createdAt?.length ? 0 : withinSecondMs;
        must(!(after > before + leewayMs), 'the newest first', actual, newer.page.answer, page.answer);
      }
      newer = { item, page };
    }
  }
}
