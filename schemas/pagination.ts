import { z } from 'zod';

/** Section 2.2, PaginationMeta. "Null when no more pages" leaves no room for an absent cursor: both are required. */
export const paginationSchema = z.looseObject({
  nextCursor: z.string().nullable(),
  hasMore: z.boolean(),
});

/** Sections 4.1 and 4.5: the envelope of both lists. A check judges whether a page holds at most `limit` items. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({ data: z.array(item), pagination: paginationSchema });
}

export type Pagination = z.infer<typeof paginationSchema>;
