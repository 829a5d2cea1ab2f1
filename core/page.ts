import { type Answer, isSuccess } from './exchange.ts';
import { at, stringAt } from './json.ts';

/** The two operations that page. */
export type ListOperation = 'listModels' | 'listDataSources';

export const listOperations = ['listModels', 'listDataSources'] as const satisfies readonly ListOperation[];

/** The fields of an item of a list that paging needs, and the whole `record`. */
export type Item = { readonly id: string; readonly createdAt: string | undefined; readonly record: unknown };

export type Page = {
  readonly answer: Answer;
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
};

/** Reads a page; undefined if the answer is not a readable page. */
export function readPage(answer: Answer): Page | undefined {
  const data = at(answer.json, 'data');
  const hasMore = at(answer.json, 'pagination', 'hasMore');
  const nextCursor = at(answer.json, 'pagination', 'nextCursor');
  if (!isSuccess(answer) || !Array.isArray(data) || typeof hasMore !== 'boolean') return undefined;
  if (nextCursor !== null && typeof nextCursor !== 'string') return undefined;
  const items: Item[] = [];
  for (const record of data) {
    const id = stringAt(record, 'id');
    if (id === undefined) return undefined;
    items.push({ id, createdAt: stringAt(record, 'createdAt'), record });
  }
  return { answer, items, hasMore, nextCursor };
}
