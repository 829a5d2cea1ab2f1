import type { Random } from '../random.ts';
import { namedId, newId, withTwins } from './ids.ts';
import { type Item, lazyItem, newestFirst } from './item.ts';
import { modelRecord } from './model-record.ts';
import type { DataOptions } from './options.ts';
import { sourceRecord } from './source-record.ts';
import type { OrganizationData } from './world-data.ts';

export type OrganizationPlan = {
  readonly name: string;
  readonly models: number;
  readonly sources: number;
  /** The last of the data sources may be deleted. */
  readonly disposable: number;
  readonly chats: number;
};

/** Gives every record of a world a number of its own. */
export type Counter = { count: number };

const newestMs = Date.UTC(2025, 10, 1, 9, 30, 15, 250);
const hourMs = 3_600_000;
/** Less than a second, so that some timestamps with a precision of one second are equal. */
const closeMs = 700;

/** Places that share one creation time: small groups, and groups across the borders of pages of 50 and 100. */
const tied: readonly (readonly [number, number])[] = [
  [5, 6],
  [47, 53],
  [75, 77],
  [97, 102],
  [103, 104],
];

/** The creation time of the item at that place, counted from the newest. */
function createdAtMs(place: number, options: DataOptions): number {
  if (options.createdAt === 'all-equal') return newestMs;
  const group = options.createdAt === 'distinct' ? undefined : tied.find(([from, to]) => place >= from && place <= to);
  return newestMs - (group?.[0] ?? place) * (options.timestamps === 'uneven' ? closeMs : hourMs);
}

/** The place of a model's data source. One data source has many models, each disposable one has two, the others one or none. */
function sourcePlace(model: number, plan: OrganizationPlan): number {
  const big = Math.min(55, Math.ceil(plan.models * 0.45));
  const kept = plan.sources - plan.disposable;
  const rank = Math.floor(model / 2);
  if (model % 2 === 0) return rank < big || kept < 2 ? 0 : 1 + (rank % (kept - 1));
  if (rank < 2 * plan.disposable) return kept + (rank % plan.disposable);
  return kept < 2 ? 0 : 1 + (rank % (kept - 1));
}

function sourceItems(ids: readonly string[], organizationId: string, options: DataOptions): readonly Item[] {
  return ids.map((id, index) => {
    const at = createdAtMs(index, options);
    const known = { id, createdAtMs: at, sourceId: id, organizationId };
    return lazyItem(known, () => sourceRecord({ index, id, createdAtMs: at }, options));
  });
}

function modelItems(
  ids: readonly string[],
  organizationId: string,
  sourceIds: readonly string[],
  plan: OrganizationPlan,
  options: DataOptions,
): readonly Item[] {
  return ids.map((id, index) => {
    const at = createdAtMs(index, options);
    const sourceId = sourceIds[sourcePlace(index, plan)] ?? '';
    const targetId = ids[(index + 1) % ids.length] ?? id;
    const known = { id, createdAtMs: at, sourceId, organizationId };
    return lazyItem(known, () =>
      modelRecord({ index, total: ids.length, id, organizationId, sourceId, createdAtMs: at, targetId }, options),
    );
  });
}

/** The records of one organization. */
export function organizationData(
  plan: OrganizationPlan,
  options: DataOptions,
  random: Random,
  counter: Counter,
): OrganizationData {
  const ids = (prefix: string, count: number): readonly string[] => {
    const counting = options.ids === 'per-organization' && prefix !== 'chat' ? { count: 0 } : counter;
    return withTwins(
      options.ids,
      Array.from({ length: count }, () => {
        counting.count += 1;
        return newId(options.ids, prefix, counting.count, random);
      }),
    );
  };
  const id = namedId(options.ids, plan.name, random);
  const sourceIds = ids('ds', plan.sources);
  const modelIds = ids('mdl', plan.sources === 0 ? 0 : plan.models);
  return {
    id,
    models: modelItems(modelIds, id, sourceIds, plan, options).toSorted(newestFirst),
    sources: sourceItems(sourceIds, id, options).toSorted(newestFirst),
    // The oldest is declared first, as if a line were added for each new one.
    disposable: sourceIds.slice(plan.sources - plan.disposable).toReversed(),
    chats: ids('chat', plan.chats),
  };
}
