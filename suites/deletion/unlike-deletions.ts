import { mustSucceed } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { deletedRecord, deletedTypes } from '../../promises/deletion.ts';
import { whyDisposable } from '../../stage/deletion/declared.ts';
import { fateOf, givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { spareDisposables, takeSpareDisposables } from '../../stage/deletion/disposables.ts';
import { untilHeard } from '../../stage/deletion/list-lag.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { listAround } from '../shared/source-untouched.ts';
import { tryToDelete } from './deleted-everywhere.ts';

/** The share of the data sources that can be spared, and the most of them, that this check deletes. Later runs need some, too. */
const share = 1 / 4;
const most = 4;

/**
 * Section 4.6: a deletion may depend on the data source, such as its dialect, or whether it was ever synchronized. So besides the recorded
 * deletion, some data sources are deleted that are unlike those before, if enough are declared. The checks at the end of a run judge
 * that they are gone, and nothing else.
 */
export const unlikeDeletions: Check = check(
  'delete.record',
  { phase: 'changes', uses: ['deletions'], variant: 'unlike', extended: true },
  async (api) => {
    const { deleted, disposable } = await givenAcceptedDeletion(api);
    mustShowRecord(deleted, disposable);
    const count = Math.min(most, Math.floor(share * (await spareDisposables(api)).length));
    for (const one of count === 0 ? [] : await takeSpareDisposables(api, count))
      mustShowRecord(await mustDelete(api, one), one);
  },
);

function mustShowRecord(answer: Answer, { record }: Disposable): void {
  mustKeep(deletedRecord, { answer, listed: record }, answer);
  mustKeep(deletedTypes, answer, answer);
}

/** Another run may have deleted it a moment ago, and something that ends may be in the way, such as a synchronization. */
async function mustDelete(api: Api, disposable: Disposable): Promise<Answer> {
  const first = await tryToDelete(api, disposable);
  if (isSuccess(first)) return first;
  await untilHeard(api, first);
  const { items } = await listAround(api, disposable);
  if (fateOf(items, disposable) !== 'as before') throw new Blocked(whyDisposable(disposable.organizationId));
  const again = await tryToDelete(api, disposable);
  mustSucceed(again, 'for a data source that is declared disposable and still listed');
  return again;
}
