import type { Answer } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Item } from '../../core/page.ts';
import type { Query } from '../../core/paths.ts';
import { type Api, as } from '../../engine/api.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { givenWalk, type Walk } from '../lists/walk.ts';
import type { Disposable } from './still-listed.ts';

/** How long the cleanup job may take, in milliseconds. */
export const cleanupMs = 30_000;

export const nothingLeft: { readonly left: readonly Item[]; readonly seen: Answer | undefined } = {
  left: [],
  seen: undefined,
};

export function modelsOf(sourceId: string): Query {
  return { databaseConnectionId: sourceId, limit: 100 };
}

export function modelsOver(sourceId: string, walk: Walk | undefined): readonly Item[] {
  return (walk?.items ?? []).filter(({ record }) => stringAt(record, 'databaseConnectionId') === sourceId);
}

/**
 * Reads the models of the organization until none of the data source is left, for a bounded time. One of `models`, which it had
 * before, is left as well if it is shown over another data source.
 */
export async function modelsUntilGone(
  api: Api,
  { organizationId, admin, id }: Disposable,
  models: readonly Item[],
): Promise<typeof nothingLeft> {
  if (models.length === 0) return nothingLeft;
  const { clock } = api.session;
  const ids = new Set(models.map((model) => model.id));
  const giveUpAt = clock.now() + cleanupMs;
  for (let pauseMs = 3000; ; pauseMs = 4000) {
    const walk = await unlessBlocked(() => givenWalk(api, 'listModels', as(admin), organizationId, { limit: 100 }));
    const over = new Set(modelsOver(id, walk));
    const listed = walk?.items.filter((item) => over.has(item) || ids.has(item.id)) ?? models;
    // The filter may still find a model that is gone from the whole list.
    const found =
      listed.length > 0
        ? undefined
        : await unlessBlocked(() => givenWalk(api, 'listModels', as(admin), organizationId, modelsOf(id)));
    const left = listed.length > 0 ? listed : modelsOver(id, found);
    const pages = [...(found?.pages ?? []), ...(walk?.pages ?? [])];
    const page = pages.find(({ items }) => items.some((item) => left.includes(item))) ?? walk?.pages[0];
    if (left.length === 0 || clock.now() >= giveUpAt) return { left, seen: page?.answer };
    await clock.sleep(pauseMs);
  }
}
