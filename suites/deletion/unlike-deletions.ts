import { mustSucceed } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { deletedRecord } from '../../promises/deletion.ts';
import { whyDisposable } from '../../stage/deletion/declared.ts';
import { fateOf, givenAcceptedDeletion, isMarkedLike, otherAdminOf } from '../../stage/deletion/deletion.ts';
import { spareDisposables, takeSpareDisposables } from '../../stage/deletion/disposables.ts';
import { untilHeard } from '../../stage/deletion/list-lag.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { readLists } from '../../stage/lists/snapshot.ts';
import { mustHaveDeleted } from './must-be-deleted.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { listAround } from '../shared/source-untouched.ts';
import { tryToDelete } from './deleted-everywhere.ts';

/** At most this share of what can be spared in one organization is deleted, and at most this many. Later runs need some too. */
const share = 1 / 4;
const most = 4;

/** The statuses of a data source that is deleted already, as an earlier run may have left it. */
const alreadyDeleted: readonly number[] = [404, 409, 410];

type Tried = { readonly disposable: Disposable; readonly answer: Answer };

/** Deletions of data sources that are unlike those deleted before, in the organization that can spare most; none if it can spare few. */
export const givenUnlikeDeletions = shared(async (api: Api): Promise<readonly Tried[]> => {
  const { disposable, latest } = await givenAcceptedDeletion(api);
  // What an earlier run deleted may stay listed, with the mark that the recorded deletion shows.
  const isLeft = ({ record }: Disposable): boolean => !isMarkedLike(disposable, latest.items, record);
  const left = Map.groupBy((await spareDisposables(api)).filter(isLeft), ({ organizationId }) => organizationId);
  const [largest] = [...left].toSorted(([, one], [, other]) => other.length - one.length);
  const count = Math.min(most, Math.floor(share * (largest?.[1].length ?? 0)));
  if (largest === undefined || count === 0) return [];
  // A cache may keep these pages.
  await readLists(api, 'listDataSources', [largest[0]]);
  const isThere = (one: Disposable): boolean => isLeft(one) && one.organizationId === largest[0];
  const tried: Tried[] = [];
  for (const one of await takeSpareDisposables(api, count, isThere))
    tried.push({ disposable: one, answer: await deletionOf(api, one) });
  return tried;
});

const unlike = { phase: 'changes', uses: ['deletions'], variant: 'unlike', extended: true } as const;

/**
 * Section 4.6: a deletion may depend on the data source, such as its dialect, or whether it was ever synchronized. So besides the recorded
 * deletion, some data sources are deleted that are unlike those before, if enough are declared. The checks at the end of a run judge
 * that these data sources, and no others, are gone.
 */
export const unlikeDeletions: readonly Check[] = [
  check('delete.record', unlike, async (api) => {
    const { deleted, disposable } = await givenAcceptedDeletion(api);
    const tried = await givenUnlikeDeletions(api);
    for (const one of [{ disposable, answer: deleted }, ...tried]) {
      if (alreadyDeleted.includes(one.answer.status))
        throw new Blocked(`the deletion of ${one.disposable.id} was answered ${summary(one.answer)}: run again`);
      mustSucceed(one.answer, 'for a data source that is declared disposable and still listed');
      mustKeep(deletedRecord, { answer: one.answer, listed: one.disposable.record }, one.answer);
    }
  }),

  // What one admin deletes may stay in a cache of another, until that one deletes something too.
  check('delete.gone-or-marked', unlike, async (api) => {
    const deletion = await givenAcceptedDeletion(api);
    const ids = (await givenUnlikeDeletions(api)).map(({ disposable }) => disposable.organizationId);
    await mustHaveDeleted(api, deletion, await readLists(api, 'listDataSources', [...new Set(ids)]));
  }),
];

/**
 * The answer to a deletion by another admin than the one who reads the lists, if there is one; or, if that was refused, by the latter:
 * something temporary, such as a synchronization, may have been in the way.
 */
async function deletionOf(api: Api, disposable: Disposable): Promise<Answer> {
  const first = await tryToDelete(api, { ...disposable, admin: otherAdminOf(api, disposable) ?? disposable.admin });
  if (isSuccess(first)) return first;
  await untilHeard(api, first);
  const { items } = await listAround(api, disposable);
  if (fateOf(items, disposable) !== 'as before') throw new Blocked(whyDisposable(disposable.organizationId));
  return tryToDelete(api, disposable);
}
