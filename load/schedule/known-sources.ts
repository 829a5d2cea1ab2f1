import { at, parseJson, stringAt } from '../../core/json.ts';
import { looksDeleted } from '../../engine/history/deletion-mark.ts';

/** Data sources by organization that the answers so far show. They serve as filters of the models, and can be deleted. */
export type KnownSources = Map<string, Set<string>>;

/** Adds the data sources of a page, without those that are marked as deleted. */
export function noteSources(known: KnownSources, organizationId: string, items: readonly unknown[]): void {
  const own = known.get(organizationId) ?? new Set();
  known.set(organizationId, own);
  for (const item of items) {
    const id = stringAt(item, 'id');
    if (id !== undefined && !looksDeleted(item, items)) own.add(id);
  }
}

/** What a load learns from the page of a list; undefined if the answer is none. */
export type ListAnswer = { readonly items: readonly unknown[]; readonly nextCursor: string | undefined };

export function listAnswerOf(body: readonly Uint8Array[]): ListAnswer | undefined {
  const [whole, ...more] = body;
  // A whole body was parsed before if a deployment in this process sent it before.
  const answer = parseJson(whole === undefined || more.length > 0 ? Buffer.concat(body) : whole).value;
  const items = at(answer, 'data');
  return Array.isArray(items) ? { items, nextCursor: stringAt(answer, 'pagination', 'nextCursor') } : undefined;
}
