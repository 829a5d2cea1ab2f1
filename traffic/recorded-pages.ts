import { listOperations, type Page, readPage } from '../core/page.ts';
import type { Recorded } from './recorded.ts';

/** A recorded page of a list that shows items, and the cursor that was asked for. */
export type RecordedPage = { readonly recorded: Recorded; readonly page: Page; readonly cursor: string | undefined };

/** Every page that was recorded whole. A request with a repeated parameter has several readings, so its page is left out. */
export function recordedPages(traffic: readonly Recorded[]): readonly RecordedPage[] {
  return traffic.flatMap((recorded): readonly RecordedPage[] => {
    const { route, isWhole, answer } = recorded;
    const isList = listOperations.some((operation) => operation === route.operation);
    const page = isList && isWhole ? readPage(answer) : undefined;
    const isPlain = [...route.query.values()].every((values) => values.length === 1);
    if (page === undefined || page.items.length === 0 || !isPlain) return [];
    return [{ recorded, page, cursor: route.query.get('cursor')?.[0] }];
  });
}
