import { type Api, as } from '../../engine/api.ts';
import { marksOf, strayEdit, strayMark } from '../../engine/history/deletion-mark.ts';
import { isAfter } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { adminOf, givenLists } from './lists.ts';
import { givenWalk, type Walk } from './walk.ts';
import type { Item, ListOperation } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';

/** The lists of every organization that has an admin, by organization, at one time. */
export type Snapshot = {
  readonly sources: ReadonlyMap<string, Walk>;
  /** Without the organizations whose models could not be read. */
  readonly models: ReadonlyMap<string, Walk>;
};

/** Both lists of every organization. */
export async function takeSnapshot(api: Api): Promise<Snapshot> {
  return { sources: await readLists(api, 'listDataSources'), models: await readLists(api, 'listModels') };
}

/** Reads the lists of these organizations afresh, or of all, without those that cannot be read and those that were empty, which can lose nothing. */
export async function readLists(
  api: Api,
  list: ListOperation,
  ids: readonly string[] = api.session.target.organizations.map(({ id }) => id),
): Promise<ReadonlyMap<string, Walk>> {
  const found = new Map<string, Walk>();
  const known = (await unlessBlocked(() => givenLists(api, list))) ?? [];
  const empty = known.filter(({ walk }) => walk.complete && walk.items.length === 0);
  for (const id of ids) {
    const admin = adminOf(api, id);
    if (admin === undefined || empty.some(({ organizationId }) => organizationId === id)) continue;
    const walk = await unlessBlocked(() => givenWalk(api, list, as(admin), id, { limit: 100 }));
    if (walk !== undefined) found.set(id, walk);
  }
  return found;
}

/** The result of `make`; undefined if it is blocked, for a reason that `onBlocked` gets. */
export async function unlessBlocked<Value>(
  make: () => Promise<Value>,
  onBlocked: (reason: string) => void = () => {},
): Promise<Value | undefined> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    onBlocked(error.message);
    return undefined;
  }
}

/**
 * How a later walk differs from an earlier one: which items are gone, or where the order changed; undefined if it does not.
 * New items are ignored, and so are items for which `leftOut` holds.
 */
export function lossBetween(before: Walk, after: Walk, leftOut: (item: Item) => boolean): string | undefined {
  const seen = new Map(after.items.map(({ id }, index) => [id, index]));
  const kept = comparable(before, after).filter((item) => !leftOut(item));
  const lost = kept.filter(({ id }) => !seen.has(id));
  if (lost.length > 0) return `${lost.length} of ${kept.length} gone, such as ${describe(lost[0]?.id)}`;
  for (const [index, { id }] of kept.entries()) {
    const newer = kept[index - 1];
    if (newer !== undefined && (seen.get(newer.id) ?? 0) > (seen.get(id) ?? 0)) {
      return `${describe(id)} now before ${describe(newer.id)}`;
    }
  }
  return undefined;
}

/** A data source that changed although this run did not touch it: marked like the deleted one, or edited. */
export function strayChangeBetween(before: Walk, after: Walk, deletedId: string): string | undefined {
  const now = new Map(after.items.map((item) => [item.id, item]));
  const was = before.items.find(({ id }) => id === deletedId);
  const is = now.get(deletedId);
  const others = before.items.flatMap(({ id, record }) => {
    const later = id === deletedId ? undefined : now.get(id);
    return later === undefined ? [] : [{ id, record, later: later.record }];
  });
  const deleted = was && is && { before: was.record, after: is.record, restless: restlessFields(others) };
  for (const { id, record, later } of others) {
    const mark = strayMark(record, later, deleted);
    if (mark !== undefined) return `${describe(id)} marked too, by ${describe(mark)}`;
    // No edit changes when something was created.
    const field = isRedated(record, later) ? 'createdAt' : strayEdit(record, later);
    if (field !== undefined) {
      const [from, to] = [at(record, field), at(later, field)];
      return `${field} of ${describe(id)} changed from ${describe(from, 60)} to ${describe(to, 60)}`;
    }
  }
  return undefined;
}

function isRedated(record: unknown, later: unknown): boolean {
  const [was, is] = [at(record, 'createdAt'), at(later, 'createdAt')];
  return isAfter(was, is) === true || isAfter(is, was) === true;
}

/** The least number of records in which a field must change to count as restless. */
const leastRestless = 3;

/** The fields that change in a third of the records, and therefore without a deletion, such as the node that answers. */
function restlessFields(
  records: readonly { readonly record: unknown; readonly later: unknown }[],
): ReadonlySet<string> {
  const changes = new Map<string, number>();
  for (const { record, later } of records) {
    for (const name of marksOf(record, later)) changes.set(name, (changes.get(name) ?? 0) + 1);
  }
  const least = Math.max(leastRestless, records.length / 3);
  return new Set([...changes].filter(([, count]) => count >= least).map(([name]) => name));
}

/** The items of the earlier walk that the later one must reach: all of them, unless one of the walks was cut short. */
export function comparable(before: Walk, after: Walk): readonly Item[] {
  if (before.complete && after.complete) return before.items;
  const seen = new Set(after.items.map(({ id }) => id));
  return before.items.slice(0, before.items.findLastIndex(({ id }) => seen.has(id)) + 1);
}
