import { mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { strayMark } from '../../engine/history/deletion-mark.ts';
import { deleteWhereTwoMay, givenAcceptedDeletion, givenDeletion } from '../../stage/deletion/deletion.ts';
import {
  discardDisposable,
  disposableElsewhere,
  givenDisposable,
  isSpoilt,
  secondDisposable,
  takeSpareDisposables,
} from '../../stage/deletion/disposables.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { whyDisposable } from '../../stage/deletion/declared.ts';
import { shared } from '../../engine/fixture.ts';
import { givenLists } from '../../stage/lists/lists.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import type { Walk } from '../../stage/lists/walk.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { aboutNothing, mustHide, namesOf } from './disclosure.ts';
import { type Detour, detoursAround, detourThroughNothing } from './detours.ts';
import { givenSourcesAtLast } from '../deletion/late-overreach.ts';
import { guard, type Guarded, listAround, mustStayListed, mustStillBeListed } from '../shared/source-untouched.ts';
import { untilWatched } from '../shared/until-watched.ts';
import { observeUnknown } from './observe-unknown.ts';
import { mustStayReadableForAll } from './broken-reads.ts';
import { mustListAtOnce, mustSucceedAtOnce } from '../shared/transient-errors.ts';
import { noteMistake } from '../shared/mistakes.ts';

const whyShared =
  'no disposable data source is left for denied deletions alone: declare 3 or more that are still listed under organizations.<id>.disposableDataSources';
/** Principals who are tried on one data source. */
const maxStrangers = 6;

type Denied = { readonly principal: Principal; readonly answer: Answer };
type Detoured = { readonly detour: Detour; readonly answer: Answer };

/** Deletions of one data source that have to be refused, by order of sending. */
type Refused = {
  readonly disposable: Disposable;
  /** By principals who are not admin of its organization. */
  readonly denied: readonly Denied[];
  /** By admins, through the path of another organization. */
  readonly detoured: readonly Detoured[];
};

/** The first ones, with the list after those that were denied. */
type RefusedDeletions = Refused & {
  readonly disposable: Guarded;
  /** Whether other checks use the same data source for their refused deletions. */
  readonly isShared: boolean;
  readonly afterDenied: Walk;
};

const on = { on: 'deleteDataSource', phase: 'deletions', uses: ['deletions'] } as const;

/** Section 5, for deletions: one data source whose deletions must be refused, then one that its admin deletes. */
export const accessDeletion: readonly Check[] = [
  check('access.denied-no-effect', on, async (api) => {
    const { disposable, denied, afterDenied } = await givenDenied(api);
    const answers = denied.map(({ answer }) => answer);
    await mustStillBeListed(api, disposable, afterDenied, answers);
    await refusedElsewhere(api);
    const deletion = await unlessBlocked(() => givenDeletion(api));
    await mustSpareElsewhere(api, deletion?.before.sources, async () => {});
  }),

  check('access.denied-no-effect', { ...on, phase: 'last', variant: 'at-last', extended: true }, async (api) => {
    const { disposable, isShared, denied, detoured } = await givenDenied(api);
    if (detoured.some(({ answer }) => isSuccess(answer)))
      throw new Blocked('a deletion through another path was accepted: access.foreign-path judges that');
    if (isShared) throw new Blocked(whyShared);
    const answers = denied.map(({ answer }) => answer);
    await refusedElsewhere(api);
    await mustStayListed(api, disposable, answers);
    const last = await unlessBlocked(() => givenSourcesAtLast(api));
    await mustSpareElsewhere(api, last?.sources, (again) => untilWatched(api, again));
  }),

  check('access.no-disclosure', on, async (api) => {
    const { disposable, denied, detoured } = await givenDenied(api);
    const isRefused = ({ answer }: { readonly answer: Answer }): boolean => !isSuccess(answer);
    if (!denied.some(isRefused)) throw new Blocked('no deletion was denied');
    const foreign = detoured.filter(({ detour }) => !detour.principal.adminOf.includes(disposable.organizationId));
    const refused = [...denied, ...foreign].filter(isRefused);
    const names = namesOf(disposable.record);
    if (names.length === 0) throw new Blocked(`data source ${disposable.id} has no name to look for`);
    const control = await aboutNothing(api, 'deleteDataSource');
    for (const { answer } of refused) mustHide(answer, names, control);
  }),

  check('access.denied', on, async (api) => {
    for (const { principal, answer } of (await givenDenied(api)).denied) {
      api.session.observe('access.denied-status', `deleteDataSource: ${summary(answer)}`, answer.exchange);
      noteMistake(api, 'deleteDataSource', 'without the role', answer);
      mustNotSucceed(answer, `for ${principal.name}, not a declared admin, deleting a data source`);
    }
    const elsewhere = await refusedElsewhere(api);
    for (const { principal, answer } of elsewhere?.denied ?? []) {
      const what = `deleting a data source of ${elsewhere?.disposable.organizationId}`;
      mustNotSucceed(answer, `for ${principal.name}, not a declared admin, ${what}`);
    }
    await givenAcceptedDeletion(api);
  }),

  check('access.foreign-path', on, async (api) => {
    const refused = [await refusedDeletions(api), await refusedElsewhere(api)].filter((one) => one !== undefined);
    if (refused.every(({ detoured }) => detoured.length === 0))
      throw new Blocked('needs a principal that is adminOf a second organization');
    for (const { disposable, detoured } of refused) {
      for (const { detour, answer } of detoured) {
        const through = `through ${detour.organizationId}, deleting a data source of ${disposable.organizationId}`;
        mustNotSucceed(answer, `for ${detour.principal.name} ${through}`);
      }
    }
    await givenAcceptedDeletion(api);
  }),

  // A deletion of a deleted data source may be answered before the role is checked.
  check('access.denied', { ...on, variant: 'deleted', extended: true }, async (api) => {
    const { organizationId, id } = (await givenAcceptedDeletion(api)).disposable;
    const strangers = strangersTo(api, organizationId);
    if (strangers.length === 0) throw new Blocked(`declare a principal that is not adminOf ${organizationId}`);
    for (const principal of strangers) {
      const answer = await api.deleteDataSource(as(principal), organizationId, id);
      mustNotSucceed(
        answer,
        `for ${principal.name}, not a declared admin, deleting a data source that is already deleted`,
      );
    }
  }),

  check('access.granted', on, async (api) => {
    const deletion = await givenDeletion(api);
    for (const { deleter, deleted } of [deletion.refused ?? deletion, deletion]) {
      mustSucceed(deleted, `for ${deleter.name}, a declared admin, deleting a data source`);
    }
    const another = await deleteWhereTwoMay(api);
    if (another?.refused !== undefined && isSuccess(another.deleted)) {
      const { deleter, deleted } = another.refused;
      mustSucceed(deleted, `for ${deleter.name}, a declared admin, deleting a data source that another one may delete`);
    }
    await observeUnknown(api, 'deleteDataSource');
  }),

  check(
    'access.granted',
    { phase: 'last', uses: ['deletions'], on: 'listDataSources', variant: 'after-deletions', extended: true },
    async (api) => {
      const { organizationId } = (await givenAcceptedDeletion(api)).disposable;
      mustListAtOnce(api);
      await mustStayReadableForAll(api, organizationId);
    },
  ),

  check(
    'access.granted',
    { phase: 'last', uses: ['deletions'], on: 'deleteDataSource', variant: 'at-last', extended: true },
    async (api) => {
      await givenAcceptedDeletion(api);
      mustSucceedAtOnce(api, 'deleteDataSource');
    },
  ),
];

const refusedDeletions = shared(async (api: Api): Promise<RefusedDeletions> => {
  const second = await secondDisposable(api);
  const disposable = await guard(api, second ?? (await givenDisposable(api)));
  const denied = await deleteAsStrangers(api, disposable);
  const afterDenied = await listAround(api, disposable);
  const throughOthers = await detoursTo(api, disposable);
  const detours = [...throughOthers, detourThroughNothing(api, disposable.admin)];
  const detoured = await deleteByDetour(api, disposable, throughOthers.length === 0 ? [] : detours);
  return { disposable, isShared: second === undefined, denied, afterDenied, detoured };
});

/**
 * The same in another organization: a role may be read from the membership, and each principal is a member of other ones. An
 * admin of both organizations, for whom the path alone is wrong, may exist there alone.
 */
const refusedElsewhere = shared(async (api: Api): Promise<Refused | undefined> => {
  const { organizationId } = (await refusedDeletions(api)).disposable;
  const disposable = await disposableElsewhere(api, organizationId);
  if (disposable === undefined) return undefined;
  const denied = await deleteAsStrangers(api, disposable);
  const [detour] = await detoursTo(api, disposable);
  const detoured = await deleteByDetour(api, disposable, detour === undefined ? [] : [detour]);
  if ([...denied, ...detoured].some(({ answer }) => isSuccess(answer))) discardDisposable(api, disposable);
  return { disposable, denied, detoured };
});

/**
 * Lists that are read anyway show what became of the one whose deletions were denied elsewhere. Another run may have deleted it: only
 * if another one is gone too is that a violation. `settle` waits until a denied deletion would show.
 */
async function mustSpareElsewhere(
  api: Api,
  lists: ReadonlyMap<string, Walk> | undefined,
  settle: (denied: readonly Answer[]) => Promise<void>,
): Promise<void> {
  const elsewhere = await refusedElsewhere(api);
  const list = elsewhere && lists?.get(elsewhere.disposable.organizationId);
  if (elsewhere === undefined || list?.complete !== true) return;
  const { disposable, denied, detoured } = elsewhere;
  const { organizationId, id } = disposable;
  const deniedAt = Math.max(...[...denied, ...detoured].map(({ answer }) => answer.exchange.receivedAt));
  const isLater = list.pages.every(({ answer }) => answer.exchange.sentAt >= deniedAt);
  if (!isLater || isSpoilt(api, organizationId, id) || !looksLost(list, disposable)) return;
  const isListed = (one: Disposable): boolean => list.items.some((item) => item.id === one.id);
  const isNext = (one: Disposable): boolean => one.organizationId === organizationId && isListed(one);
  const [spare] = (await unlessBlocked(() => takeSpareDisposables(api, 1, isNext))) ?? [];
  if (spare !== undefined) {
    const next = { ...(await guard(api, spare)), record: list.items.find((item) => item.id === spare.id)?.record };
    const answers = (await deleteAsStrangers(api, next)).map(({ answer }) => answer);
    await settle(answers);
    await mustStillBeListed(api, next, await listAround(api, next), answers);
  }
  throw new Blocked(whyDisposable(organizationId));
}

/** Other changes of a record are no trace of a deletion: it may be synchronised, or edited by another client. */
function looksLost({ items }: Walk, { id, record }: Disposable): boolean {
  const now = items.find((item) => item.id === id);
  return now === undefined || strayMark(record, now.record, undefined) !== undefined;
}

async function deleteAsStrangers(api: Api, { organizationId, id }: Disposable): Promise<readonly Denied[]> {
  const denied = [];
  for (const principal of strangersTo(api, organizationId)) {
    denied.push({ principal, answer: await api.deleteDataSource(as(principal), organizationId, id) });
  }
  return denied;
}

async function deleteByDetour(api: Api, { id }: Disposable, detours: readonly Detour[]): Promise<readonly Detoured[]> {
  const detoured = [];
  for (const detour of detours) {
    const answer = await api.deleteDataSource(as(detour.principal), detour.organizationId, id);
    detoured.push({ detour, answer });
  }
  return detoured;
}

/** Through organizations that have no data source with that ID. */
async function detoursTo(api: Api, { organizationId, id }: Disposable): Promise<readonly Detour[]> {
  const lists = await givenLists(api, 'listDataSources');
  const hasNone = (other: string): boolean =>
    lists.some(({ organizationId: listed, walk }) => {
      return listed === other && walk.complete && walk.items.every((item) => item.id !== id);
    });
  return detoursAround(api, organizationId, hasNone);
}

/** Blocked if the target file declares no principal to deny access to. */
async function givenDenied(api: Api): Promise<RefusedDeletions> {
  const refused = await refusedDeletions(api);
  if (refused.denied.length > 0) return refused;
  const { organizationId } = refused.disposable;
  throw new Blocked(
    `there is no principal to deny access to: declare a principal that is not adminOf ${organizationId}`,
  );
}

function strangersTo({ session }: Api, organizationId: string): readonly Principal[] {
  return session.target.principals.filter(({ adminOf }) => !adminOf.includes(organizationId)).slice(0, maxStrangers);
}
