import { must, mustNotBe5xx, mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { type Deletion, fateOf, givenAcceptedDeletion, givenDeletion } from '../../stage/deletion/deletion.ts';
import { isTaken } from '../../stage/deletion/disposables.ts';
import { cleanupMs } from '../../stage/deletion/models-left.ts';
import { pagesAround } from '../../stage/deletion/pages-around.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import { givenWalk, type Walk } from '../../stage/lists/walk.ts';
import type { Item } from '../../core/page.ts';
import { stringAt } from '../../core/json.ts';
import { lossBetween, strayChangeBetween } from '../../stage/lists/snapshot.ts';
import { givenStillList } from '../../stage/lists/stillness.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { deletedRecord, deletedTypes } from '../../promises/deletion.ts';
import { filteredModels } from '../../promises/models.ts';
import { recordsIn } from '../../promises/records.ts';
import { untilHeard } from '../../stage/deletion/list-lag.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { deletedCursors } from './deleted-cursor.ts';
import { lateOverreach } from './late-overreach.ts';
import { givenLossRecurs } from './overreach-again.ts';
import { asSeen, mustBeDeleted, mustBeDeletedSoon } from './must-be-deleted.ts';
import { mustKeepModels } from '../models/models-kept.ts';

/** How long a list that lost more items is observed, in milliseconds: another client may delete now and then. */
const othersMs = 40_000;

/** Lists change under a deletion, so it has its own phase. All these checks judge the same recorded deletion. */
const alone = { phase: 'deletions', uses: ['deletions'] } as const;

/** Section 4.6. */
export const deleting: readonly Check[] = [
  check('delete.record', alone, async (api) => {
    const { deleted, second, disposable } = await givenDeletion(api);
    mustSucceed(deleted, 'for a data source that is declared disposable and was listed before');
    api.session.observe('delete.status', `${deleted.status}`, deleted.exchange);
    for (const answer of [deleted, second]) mustKeep(deletedRecord, { answer, listed: disposable.record }, answer);
  }),

  check('delete.record-types', alone, async (api) => {
    const { deleted } = await givenAcceptedDeletion(api);
    const hasRecord = mustKeep(deletedTypes, deleted, deleted);
    if (!hasRecord) throw new Blocked('the answer to the deletion has no record');
  }),

  check('delete.gone-or-marked', alone, async (api) => {
    const deletion = await givenAcceptedDeletion(api);
    const { disposable, after, latest, atLast } = deletion;
    const fate = fateOf(after.items, disposable);
    const found = Array.isArray(fate) ? `still listed, marked by ${fate.join(', ')}` : String(fate);
    api.session.observe('sources.deleted-listed', fate === 'gone' ? 'no longer listed' : found);
    const { organizationId, admin } = disposable;
    const look = () => givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
    mustBeDeleted(deletion, 'after its deletion', after, latest);
    const last = atLast.sources.get(organizationId);
    await mustBeDeletedSoon(api, deletion, 'some time after its deletion', last, look);
    // A page of one item may be read in another way.
    for (const place of ['inItsPlace', 'oneInItsPlace'] as const) {
      const lookBehind = async () =>
        asSeen((await pagesAround(api, disposable, deletion.before, deletion.atLast))[place]);
      const seen = asSeen(deletion[place]);
      await mustBeDeletedSoon(api, deletion, 'behind a cursor, after its deletion', seen, lookBehind);
    }
  }),

  check('delete.others-untouched', alone, async (api) => {
    const deletion = await givenAcceptedDeletion(api);
    const { disposable, before, soon, after, atLast } = deletion;
    const { organizationId } = disposable;
    const own = before.sources.get(organizationId);
    if (own === undefined || own.items.length < 2) {
      throw new Blocked(`needs a second data source in ${organizationId}: the deleted one was the only one`);
    }
    await mustKeepSources(api, deletion, organizationId, own, after);
    for (const [id, walk] of soon.sources) {
      const later = atLast.sources.get(id);
      if (later === undefined) throw new Blocked(`the data sources of ${id} could not be read after the deletion`);
      await mustKeepSources(api, deletion, id, walk, later);
    }
  }),

  check('delete.others-untouched', { ...alone, variant: 'models' }, async (api) => {
    const deletion = await givenAcceptedDeletion(api);
    await mustKeepModels(api, deletion, deletion.atLast.models, 'soon');
  }),

  ...lateOverreach,

  check('delete.models-removed', alone, async (api) => {
    const { models, modelsLeft, modelsSeen, deleted, disposable, second, atLast } = await givenAcceptedDeletion(api);
    if (models.length === 0) {
      throw new Blocked(`no model uses ${disposable.id}: declare a disposable data source that has models`);
    }
    const evidence = modelsSeen === undefined ? [deleted] : [deleted, modelsSeen];
    const left = modelsLeft.length;
    const actual = `${left} of ${models.length} still listed`;
    must(left === 0, `its models gone within ${cleanupMs / 1000} s`, actual, ...evidence);
    const isIts = ({ record }: Item): boolean => stringAt(record, 'databaseConnectionId') === disposable.id;
    if (atLast.models.get(disposable.organizationId)?.items.some(isIts) !== true) return;
    await untilHeard(api, second);
    const again = await givenWalk(api, 'listModels', as(disposable.admin), disposable.organizationId, { limit: 100 });
    const back = again.items.filter(isIts).length;
    must(
      back === 0,
      'its models still gone after it was deleted again',
      `${back} listed again`,
      second,
      ...pagesOf(again),
    );
  }),

  // The models of the deleted data source, none, or a refusal are legal; models of other data sources are not.
  check('models.filter', { ...alone, variant: 'deleted', extended: true }, async (api) => {
    const { afterFilter, deleted } = await givenAcceptedDeletion(api);
    for (const model of recordsIn(afterFilter)) mustKeep(filteredModels, model, deleted, afterFilter);
  }),

  check('delete.unknown', alone, async (api) => {
    const { unknown } = await givenAcceptedDeletion(api);
    for (const { id, answer } of unknown) mustNotSucceed(answer, `for ${describe(id)}, which does not exist`);
  }),

  check('delete.unknown-no-5xx', alone, async (api) => {
    const { unknown } = await givenAcceptedDeletion(api);
    for (const { id, answer } of unknown) mustNotBe5xx(answer, `for ${describe(id)}, which does not exist`);
  }),

  ...deletedCursors,

  check('delete.twice-no-5xx', alone, async (api) => {
    const { second } = await givenAcceptedDeletion(api);
    observeSecond(api, second);
    mustNotBe5xx(second, 'for the second deletion');
  }),
];

async function mustKeepSources(
  api: Api,
  { disposable, deleted }: Deletion,
  organizationId: string,
  before: Walk,
  after: Walk,
): Promise<void> {
  const isOwn = organizationId === disposable.organizationId;
  const isLeftOut = ({ id }: Item): boolean => isOwn && id === disposable.id;
  const loss = lossBetween(before, after, isLeftOut);
  const expected = `the other data sources of ${organizationId} unchanged after ${describe(disposable.id)} of ${disposable.organizationId} was deleted`;
  const change = strayChangeBetween(before, after, disposable.id);
  const admin = adminOf(api, organizationId);
  if ((loss !== undefined || change !== undefined) && admin !== undefined) {
    await givenStillList(api, 'listDataSources', admin, organizationId, othersMs);
  }
  if (loss !== undefined)
    await givenLossRecurs(
      api,
      'sources',
      { organizationId, earlier: before, later: after, isLeftOut, mayBeOthers: () => false },
      (where) => (item) => isTaken(api, where, item.id),
    );
  must(loss === undefined, expected, loss ?? '', deleted, ...pagesOf(after));
  must(change === undefined, expected, change ?? '', deleted, ...pagesOf(after));
}

function observeSecond(api: Api, second: Answer): void {
  const outcome = isSuccess(second) ? `${second.status} again` : summary(second);
  api.session.observe('delete.second', outcome, second.exchange);
}

/** The first pages of a walk, as evidence. */
function pagesOf({ pages }: Walk): readonly Answer[] {
  return pages.slice(0, 4).map(({ answer }) => answer);
}
