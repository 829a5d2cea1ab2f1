import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { describe } from '../../core/text.ts';
import { shared } from '../../engine/fixture.ts';
import { type Deletion, givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { isDeclared, whyDisposable } from '../../stage/deletion/declared.ts';
import { isTaken } from '../../stage/deletion/disposables.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import type { Item } from '../../core/page.ts';
import { readAfterMs, type Walk } from '../../stage/lists/walk.ts';
import { lossBetween, readLists } from '../../stage/lists/snapshot.ts';
import { givenStillBefore, givenStillList, usualWatchMs } from '../../stage/lists/stillness.ts';
import { Blocked } from '../../engine/verdict.ts';
import { sourceIdOf } from '../models/model-filters.ts';
import { givenLossRecurs, overreachMs } from './overreach-again.ts';
import { mustKeepModels } from '../models/models-kept.ts';

const atLast = { phase: 'last', uses: ['deletions'], extended: true } as const;

/** Section 4.6: a cleanup job may run late and delete too much. */
export const lateOverreach: readonly Check[] = [
  check('delete.others-untouched', { ...atLast, variant: 'models-at-last' }, async (api) => {
    const { deletion, models } = await givenModelsAtLast(api);
    await mustKeepModels(api, deletion, models, 'at-last');
  }),

  // A job that fills the models again may run after the one that removed them.
  check('delete.models-removed', { ...atLast, variant: 'at-last' }, async (api) => {
    const { deletion, models } = await givenModelsAtLast(api);
    const { deleted, disposable, models: before, modelsLeft } = deletion;
    if (before.length === 0 || modelsLeft.length > 0) throw new Blocked('no models were seen to be removed');
    const walk = models.get(disposable.organizationId);
    if (walk === undefined) throw new Blocked('the models could not be read at the end');
    const [back] = walk.items.filter((item) => sourceIdOf(item) === disposable.id);
    const pages = walk.pages.slice(0, 4).map(({ answer }) => answer);
    must(
      back === undefined,
      'its models still gone at the end',
      `${describe(back?.id)} listed again`,
      deleted,
      ...pages,
    );
  }),

  check('delete.others-untouched', { ...atLast, variant: 'sources-at-last' }, async (api) => {
    const { deletion, sources } = await givenSourcesAtLast(api);
    await mustKeepSources(api, deletion, sources);
  }),
];

/** The recorded deletion, when its cleanup job has done all that it does. */
async function givenOverreach(api: Api): Promise<Deletion> {
  const deletion = await givenAcceptedDeletion(api);
  await api.session.clock.sleep(deletion.deleted.exchange.receivedAt + overreachMs - api.session.clock.now());
  return deletion;
}

/** The models of every organization, read once when the cleanup job has done all that it does. */
export const givenModelsAtLast = shared(async (api: Api) => ({
  deletion: await givenOverreach(api),
  models: await readLists(api, 'listModels'),
}));

/** The data sources of every organization, read once then. */
export const givenSourcesAtLast = shared(async (api: Api) => ({
  deletion: await givenOverreach(api),
  sources: await readLists(api, 'listDataSources'),
}));

/** All data sources from before are still there, except those that this run deleted. */
async function mustKeepSources(
  api: Api,
  { before, deleted }: Deletion,
  after: ReadonlyMap<string, Walk>,
): Promise<void> {
  const kept = [...before.sources].filter(([id, { items }]) => items.some((item) => !isTaken(api, id, item.id)));
  if (kept.length === 0) throw new Blocked('needs a data source that the run does not delete');
  for (const [id, walk] of kept) {
    const later = after.get(id);
    if (later === undefined) throw new Blocked(`the data sources of ${id} could not be read at the end`);
    const watchMs = Math.max(usualWatchMs, readAfterMs(later, deleted));
    const isDeleted = (item: Item): boolean => isTaken(api, id, item.id);
    const loss = lossBetween(walk, later, isDeleted);
    if (loss !== undefined) await givenStillBefore(api, 'listDataSources', id, walk, isDeleted);
    const isDisposable = (item: Item): boolean => isDeleted(item) || isDeclared(api, id, item.id);
    if (loss !== undefined && lossBetween(walk, later, isDisposable) === undefined)
      throw new Blocked(whyDisposable(id));
    const admin = loss === undefined ? undefined : adminOf(api, id);
    if (admin !== undefined) await givenStillList(api, 'listDataSources', admin, id, watchMs);
    if (loss !== undefined)
      await givenLossRecurs(
        api,
        'sources',
        { organizationId: id, earlier: walk, later, isLeftOut: isDeleted, mayBeOthers: () => true },
        (where) => (item) => isTaken(api, where, item.id) || isDeclared(api, where, item.id),
      );
    const expected = `the data sources of ${id} that the run did not delete still listed at the end`;
    must(loss === undefined, expected, loss ?? '', deleted, ...later.pages.slice(0, 4).map(({ answer }) => answer));
  }
}
