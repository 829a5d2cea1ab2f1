import { must } from '../../engine/answer.ts';
import type { Answer } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { sourcesWithModels } from '../../stage/lists/sources-with-models.ts';
import { strayEdit, strayMark } from '../../engine/history/deletion-mark.ts';
import { discardDisposable, isSpoilt, isTaken } from '../../stage/deletion/disposables.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { givenWalk, type Walk } from '../../stage/lists/walk.ts';
import { readPage } from '../../core/page.ts';
import { givenStillBefore, givenStillList } from '../../stage/lists/stillness.ts';
import { describe } from '../../core/text.ts';
import { sourceIdOf } from '../models/model-filters.ts';
import { Blocked } from '../../engine/verdict.ts';
import { untilWatched } from './until-watched.ts';

/** The list of the data source, read again. */
export function listAround(api: Api, { organizationId, admin }: Disposable): Promise<Walk> {
  return givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
}

/** A data source whose deletion must be refused, and whether it has models: others may have deleted them since the run began. */
export type Guarded = Disposable & { readonly hasModels: boolean };

/** Reads whether the data source has models, right before its deletion must be refused. */
export async function guard(api: Api, disposable: Disposable): Promise<Guarded> {
  const hadModels = await sourcesWithModels(api);
  const hasModels = hadModels(disposable) && readPage(await oneModelOf(api, disposable))?.items.length === 1;
  return { ...disposable, hasModels };
}

function oneModelOf(api: Api, { organizationId, id, admin }: Disposable): Promise<Answer> {
  return requestPage(api, 'listModels', as(admin), organizationId, { databaseConnectionId: id, limit: 1 });
}

/** After the `refused` requests, the list must show the data source unchanged and not marked as deleted. */
export async function mustStillBeListed(
  api: Api,
  disposable: Guarded,
  list: Walk,
  refused: readonly Answer[],
): Promise<void> {
  const { organizationId, id, record, admin } = disposable;
  const pages = list.pages.map(({ answer }) => answer);
  const now = list.items.find((item) => item.id === id);
  if (now === undefined && !list.complete) throw new Blocked(`the list is too long to find ${id} in it`);
  const mark = now === undefined ? undefined : strayMark(record, now.record, undefined);
  const edited = now === undefined ? undefined : strayEdit(record, now.record);
  if (now === undefined || mark !== undefined || edited !== undefined) {
    discardDisposable(api, disposable);
    await givenStillList(api, 'listDataSources', admin, organizationId);
  }
  must(now !== undefined, `${describe(id)} still listed`, 'it is gone', ...refused, ...pages);
  must(mark === undefined, `${describe(id)} not marked as deleted`, `marked by ${mark}`, ...refused, ...pages);
  must(edited === undefined, `${describe(id)} unchanged`, `it has another ${edited}`, ...refused, ...pages);
  await mustStillHaveModels(api, disposable, refused);
}

/** A cascading deletion may have deleted the models although the data source still exists. */
async function mustStillHaveModels(api: Api, disposable: Guarded, refused: readonly Answer[]): Promise<void> {
  if (!disposable.hasModels) return;
  const answer = await oneModelOf(api, disposable);
  // Other checks judge everything else about the page.
  if (readPage(answer)?.items.length !== 0) return;
  const { organizationId, id, admin } = disposable;
  await givenStillList(api, 'listModels', admin, organizationId);
  // Another client would hardly delete the models of this data source alone.
  const models = await givenWalk(api, 'listModels', as(admin), organizationId, { limit: 100 });
  const isOwn = (sourceId: string): boolean => sourceId === id || isTaken(api, organizationId, sourceId);
  await givenStillBefore(api, 'listModels', organizationId, models, (item) => isOwn(sourceIdOf(item) ?? ''));
  must(false, `the models of ${describe(id)} still listed`, 'no models', ...refused, answer);
}

/** The same after a while: a refused deletion may be queued, and lists may lag. */
export async function mustStayListed(api: Api, disposable: Guarded, refused: readonly Answer[]): Promise<void> {
  const { organizationId, id } = disposable;
  if (isSpoilt(api, organizationId, id))
    throw new Blocked(`this run deleted ${id} later: declare more under organizations.<id>.disposableDataSources`);
  await untilWatched(api, refused);
  const list = await listAround(api, disposable);
  await mustStillBeListed(api, disposable, list, refused);
}
