import { givenNoOthersDelete } from '../deletion/disposables.ts';
import { untilCounted } from '../attachment/count-lag.ts';
import { type Api, as } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import { deletionFlags, editable } from '../../engine/history/deletion-mark.ts';
import { at } from '../../core/json.ts';
import { adminOf, givenLists } from './lists.ts';
import { lossBetween, unlessBlocked } from './snapshot.ts';
import { givenWalk, type Walk } from './walk.ts';
import type { Item, ListOperation } from '../../core/page.ts';
import type { Principal } from '../../core/target.ts';
import { chatOfOthers } from '../../engine/session/other-writers.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { Blocked } from '../../engine/verdict.ts';

/** How long a list is watched while this run does not change it, in milliseconds, and how often it is read in that time. */
export const usualWatchMs = 10_000;
const looks = 8;

/** How long a count is watched, in milliseconds. Attachments are rare, so other traffic shows only over a long time. */
const countWatchMs = 95_000;
/** The accounts that are watched together, besides the one that is asked about. */
const maxTogether = 4;

/**
 * Blocked if organizationCount changes although this run attaches nothing, because then no change is evidence. Watched once
 * in a run, and not for a requirement that is known to be violated. It is also blocked if another client writes to a chat: another run
 * of this suite attaches all its organizations at one time, perhaps those of this run, but writes for longer.
 */
export async function givenStillCount(api: Api, billingAccountId: string): Promise<void> {
  if (api.isKnown) return;
  givenNoOtherWriter(api);
  // The accounts are watched together, because another check may ask about another one.
  const ids = api.session.target.billingAccounts.slice(0, maxTogether).map(({ id }) => id);
  await Promise.allSettled([billingAccountId, ...ids].map((id) => givenWatchedCount(api, id)));
  await givenWatchedCount(api, billingAccountId);
  givenNoOtherWriter(api);
}

const givenWatchedCount = shared(async (api: Api, billingAccountId: string): Promise<void> => {
  const owner = api.session.target.billingAccounts.find(({ id }) => id === billingAccountId)?.owner;
  const admin = owner === undefined ? undefined : adminOf(api, owner);
  if (admin === undefined) return;
  const look = async () => {
    const answer = await api.getBillingAccount(as(admin), billingAccountId);
    return [String(at(answer.json, 'data', 'organizationCount'))];
  };
  // A copy that still lags behind this run's own attachments would look like other traffic.
  await untilCounted(api.session);
  await watch(api, `organizationCount of ${billingAccountId}`, look, countWatchMs);
});

/** Blocked if messages of another client were seen. */
function givenNoOtherWriter({ session }: Api): void {
  const chatId = chatOfOthers(session);
  if (chatId === undefined) return;
  throw new Blocked(
    `other traffic writes to chat ${chatId}, so it may attach organizations as well: let no two runs overlap`,
  );
}

/**
 * Blocked if items leave the list, are edited or come to be marked as deleted although this run deletes nothing. `watchMs` should be as long as
 * the change under suspicion may have taken; the time that the run watched the list before counts. Nothing is watched for a
 * requirement that is known to be violated.
 */
export async function givenStillList(
  api: Api,
  list: ListOperation,
  admin: Principal,
  organizationId: string,
  watchMs = usualWatchMs,
): Promise<void> {
  const watched = watchedIn(api.session);
  const name = JSON.stringify([list, organizationId]);
  const leftMs = watchMs - (watched.get(name) ?? 0);
  if (api.isKnown) return;
  givenNoOthersDelete(api);
  if (leftMs <= 0) return;
  const look = async () => {
    const { items } = await givenWalk(api, list, as(admin), organizationId, { limit: 100 });
    return items.map(gist);
  };
  await watch(api, `the list of ${organizationId}`, look, leftMs);
  watched.set(name, (watched.get(name) ?? 0) + leftMs);
}

/** Blocked if items, except those that are `leftOut`, were gone from the list even before this run deleted anything. */
export async function givenStillBefore(
  api: Api,
  list: ListOperation,
  organizationId: string,
  before: Walk,
  leftOut: (item: Item) => boolean,
): Promise<void> {
  const known = (await unlessBlocked(() => givenLists(api, list))) ?? [];
  const first = known.find((one) => one.organizationId === organizationId)?.walk;
  if (first !== undefined && lossBetween(first, before, leftOut) !== undefined)
    throw new Blocked(whyRestless(`the list of ${organizationId}`));
}

/** For how many milliseconds each list was watched without a change. */
const watchedIn = perRun(() => new Map<string, number>());

function gist({ id, record }: Item): string {
  const fields = editable(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([id, fields, deletionFlags(record).toSorted()]);
}

async function watch(api: Api, what: string, look: () => Promise<readonly string[]>, watchMs: number): Promise<void> {
  const first = await look();
  for (let count = 0; count < looks; count += 1) {
    await api.session.clock.sleep(watchMs / looks);
    const now = new Set(await look());
    if (first.every((one) => now.has(one))) continue;
    throw new Blocked(whyRestless(what));
  }
}

function whyRestless(what: string): string {
  return `${what} changes while this run does not change it: it lags, or other traffic changes it; run the suite against data that nothing else changes`;
}
