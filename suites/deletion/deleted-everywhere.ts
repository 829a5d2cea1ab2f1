import { mustSucceed } from '../../engine/answer.ts';
import { type Answer, isDoubtful, isSuccess } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Deletion, fateOf, givenAcceptedDeletion, isMarkedLike } from '../../stage/deletion/deletion.ts';
import { whyDisposable } from '../../stage/deletion/declared.ts';
import { takeUndeleted } from '../../stage/deletion/disposables.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { listAround } from '../shared/source-untouched.ts';
import { untilHeard } from '../../stage/deletion/list-lag.ts';

/** How many data sources of an organization must be refused, if it has so many: an earlier run may have deleted one. */
const mostTried = 2;

/** Section 5: in each organization, its admin may delete. Where this run deleted nothing until the end, a data source is deleted now. */
export const deletedEverywhere: Check = check(
  'access.granted',
  { on: 'deleteDataSource', phase: 'last', uses: ['deletions'], variant: 'every-organization', extended: true },
  async (api) => {
    const deletion = await givenAcceptedDeletion(api);
    for (const { id } of api.session.target.organizations) {
      const isDone = usedUp(api.session).deletions.some((one) => one.certain && one.organizationId === id);
      if (!isDone) await mustDeleteOne(api, deletion, id);
    }
  },
);

type Refused = { readonly disposable: Disposable; readonly answer: Answer };

async function mustDeleteOne(api: Api, deletion: Deletion, organizationId: string): Promise<void> {
  const refused: Refused[] = [];
  // Deleted ones may stay listed, with the mark that the recorded deletion shows.
  const isNext = ({ id, record }: Disposable): boolean =>
    !isMarkedLike(deletion.disposable, deletion.latest.items, record) &&
    refused.every(({ disposable }) => disposable.id !== id);
  while (refused.length < mostTried) {
    const disposable = await takeUndeleted(api, organizationId, isNext);
    if (disposable === undefined) break;
    const answer = await tryToDelete(api, disposable);
    if (isSuccess(answer)) return;
    refused.push({ disposable, answer });
  }
  const last = refused.at(-1);
  if (last === undefined) return;
  // Another run may have deleted them a moment ago, and something else that ends may be in the way, such as a synchronisation.
  await untilHeard(api, last.answer);
  const { items } = await listAround(api, last.disposable);
  if (refused.some(({ disposable }) => fateOf(items, disposable) !== 'as before'))
    throw new Blocked(whyDisposable(organizationId));
  for (const { disposable } of refused) {
    const answer = await tryToDelete(api, disposable);
    if (isSuccess(answer)) return;
    const who = `for ${disposable.admin.name}, a declared admin`;
    if (disposable === last.disposable)
      mustSucceed(answer, `${who}, deleting a listed data source of ${organizationId}`);
  }
}

/** Blocked if the answer does not say whether the caller may delete it. An internal error does, because it has recurred. */
export async function tryToDelete(api: Api, { organizationId, id, admin }: Disposable): Promise<Answer> {
  const answer = await api.deleteDataSource(as(admin), organizationId, id);
  if (isDoubtful(answer) || isGateways(answer) || answer.status === 429 || answer.status > 500)
    throw new Blocked(`the deletion of ${id} was answered ${answer.status}: run again`);
  return answer;
}
