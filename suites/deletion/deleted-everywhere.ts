import { mustSucceed } from '../../engine/answer.ts';
import { type Answer, isDoubtful, isSuccess } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { Blocked } from '../../engine/verdict.ts';
import { fateOf, givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { whyDisposable } from '../../stage/deletion/declared.ts';
import { type Disposable, takeUndeleted } from '../../stage/deletion/disposables.ts';
import { givenWalk } from '../../stage/lists/walk.ts';

/** How many data sources of an organization must be refused, if it has so many: an earlier run may have deleted one. */
const mostTried = 2;

/** Section 5: in each organization, its admin may delete. Where this run deleted nothing until the end, a data source is deleted now. */
export const deletedEverywhere: Check = check(
  'access.granted',
  { on: 'deleteDataSource', phase: 'last', uses: ['deletions'], variant: 'every-organization', extended: true },
  async (api) => {
    await givenAcceptedDeletion(api);
    for (const { id } of api.session.target.organizations) {
      const isHere = (one: { readonly organizationId: string }): boolean => one.organizationId === id;
      if (usedUp(api.session).deletions.some(isHere)) continue;
      await mustDeleteOne(api, await takeUndeleted(api, id, mostTried));
    }
  },
);

async function mustDeleteOne(api: Api, some: readonly Disposable[]): Promise<void> {
  const refused: { readonly disposable: Disposable; readonly answer: Answer }[] = [];
  for (const disposable of some) {
    const { organizationId, id, admin } = disposable;
    const answer = await api.deleteDataSource(as(admin), organizationId, id);
    if (isSuccess(answer)) return;
    if (isDoubtful(answer) || isGateways(answer) || answer.status >= 500)
      throw new Blocked(`the deletion of ${id} was answered ${answer.status}: run again`);
    refused.push({ disposable, answer });
  }
  for (const { disposable, answer } of refused) {
    const { organizationId, admin } = disposable;
    const { items } = await givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
    if (fateOf(items, disposable) !== 'as before') throw new Blocked(whyDisposable(organizationId));
    mustSucceed(answer, `for ${admin.name}, a declared admin, deleting a listed data source of ${organizationId}`);
  }
}
