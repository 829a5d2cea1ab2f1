import type { Api } from '../../engine/api.ts';
import type { Answer } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { type ListOperation, listOperations } from '../../core/page.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { forgetAnswers, type List, requestOnce, widest } from './pages.ts';
import { knownWalk, maxWalkBytes, maxWalkItems, type Walk } from './walk.ts';

/** A list with what a walk through it showed. */
export type ListFixture = List & {
  readonly walk: Walk;
  /** An earlier walk that showed nothing, if this one shows something. */
  readonly emptyBefore?: Walk | undefined;
};

/** The list of every organization that has an admin, read once in a run; unreadable ones are left out. */
const listed = shared(async (api: Api, list: string): Promise<readonly ListFixture[]> => {
  const fixtures: ListFixture[] = [];
  let unreadable: Blocked | undefined;
  for (const operation of listOperations.filter((name) => name === list)) {
    for (const { id } of api.session.target.organizations) {
      for (const admin of adminsOf(api, id)) {
        try {
          const one = { list: operation, organizationId: id, admin };
          fixtures.push({ ...one, walk: await widestWalk(api, one) });
          break;
        } catch (error) {
          if (!(error instanceof Blocked)) throw error;
          unreadable ??= error;
        }
      }
    }
  }
  if (fixtures.length === 0 && unreadable !== undefined) throw unreadable;
  return fixtures.every(isEmpty) ? readAgain(api, fixtures) : fixtures;
});

/** How often lists that are all empty are read again, and the pause before that, in milliseconds: other requests may disturb one. */
const repeatedReads = { most: 2, pauseMs: 300 } as const;

function isEmpty({ walk }: ListFixture): boolean {
  return walk.complete && walk.items.length === 0;
}

/** The lists, read again one by one. Where none shows anything, a whole run would be blocked by what may be one wrong answer. */
async function readAgain(api: Api, fixtures: readonly ListFixture[]): Promise<readonly ListFixture[]> {
  for (let count = 0; count < repeatedReads.most; count += 1) {
    await api.session.clock.sleep(repeatedReads.pauseMs);
    const again: ListFixture[] = [];
    for (const { walk: before, ...list } of fixtures) {
      forgetAnswers(api, list);
      const walk = await widestWalk(api, list).catch((error: unknown) => {
        if (!(error instanceof Blocked)) throw error;
        return before;
      });
      again.push({ ...list, walk, emptyBefore: walk.items.length > 0 ? before : undefined });
    }
    if (!again.every(isEmpty)) return again;
  }
  return fixtures;
}

/** A walk with limit=100, or without a limit if the deployment refuses that: paging.limit-maximum judges it. */
async function widestWalk(api: Api, list: List): Promise<Walk> {
  try {
    return await knownWalk(api, list, widest);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    return knownWalk(api, list, {});
  }
}

/** Every list that can be read, in the order of the target file. Blocked if there is none. */
export async function givenLists(api: Api, list: ListOperation): Promise<readonly ListFixture[]> {
  const fixtures = await listed(api, list);
  if (fixtures.length === 0)
    throw new Blocked('no principal is adminOf any organization: declare one in the target file');
  return fixtures;
}

/**
 * The longest list, or the longest that was read to its end. Blocked if it has fewer than `atLeast` items, because a short
 * list proves nothing.
 */
export async function givenLongestList(
  api: Api,
  list: ListOperation,
  atLeast: number,
  extent: 'complete' | 'any' = 'any',
): Promise<ListFixture> {
  const all = await givenLists(api, list);
  const fixtures = extent === 'any' ? all : all.filter(({ walk }) => walk.complete);
  if (fixtures.length === 0) {
    throw new Blocked(
      `every list is longer than the ${maxWalkItems} items, or the ${maxWalkBytes} bytes, that are read: declare a smaller organization`,
    );
  }
  const longest = fixtures.reduce((best, next) => (next.walk.items.length > best.walk.items.length ? next : best));
  const { organizationId, walk } = longest;
  const noun = list === 'listModels' ? 'models' : 'data sources';
  if (walk.items.length < atLeast) {
    throw new Blocked(
      `needs an organization with ${atLeast} ${noun}; the largest declared one, ${organizationId}, shows ${walk.items.length}`,
    );
  }
  return longest;
}

/** A principal that the target file names as admin of the organization. */
export function adminOf(api: Api, organizationId: string): Principal | undefined {
  return adminsOf(api, organizationId)[0];
}

/** Admins who are tried in turn: one of them may be declared wrongly, and access.granted judges each. */
const mostAdmins = 3;

export function adminsOf({ session }: Api, organizationId: string): readonly Principal[] {
  return session.target.principals.filter(({ adminOf }) => adminOf.includes(organizationId)).slice(0, mostAdmins);
}

/** A page of the list for each other admin: what a record shows may depend on its reader. */
export async function requestAsOthers(api: Api, list: List): Promise<readonly Answer[]> {
  const others = adminsOf(api, list.organizationId).filter((admin) => admin !== list.admin);
  const answers: Answer[] = [];
  for (const admin of others) answers.push(await requestOnce(api, { ...list, admin }, {}));
  return answers;
}
