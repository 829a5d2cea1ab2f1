import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Attachable } from '../../core/attachables.ts';
import { at } from '../../core/json.ts';
import { type Api, as, type Options } from '../../engine/api.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { adminOf, adminsOf } from '../lists/lists.ts';
import { countPatienceMs, rememberCountWait } from './count-lag.ts';

/** The answers of {@link accountAtOnce}. */
const looksAtOnce = 4;

export function readAccount(api: Api, { billingAccountId, admin }: Attachable, options: Options = {}): Promise<Answer> {
  return api.getBillingAccount(as(admin), billingAccountId, options);
}

/**
 * The account, read several times at once, because a load balancer may send sequential requests to the same replica, and by
 * several admins of its owner if there are several. Those of the fewest organizations come first, because they differ most.
 */
export function accountAtOnce(api: Api, { billingAccountId, owner, admin }: Attachable): Promise<readonly Answer[]> {
  const others = adminsOf(api, owner).filter((one) => one !== admin);
  const readers = [admin, ...others.toSorted((one, other) => one.adminOf.length - other.adminOf.length)];
  return Promise.all(
    Array.from({ length: looksAtOnce }, (_, index) => {
      const reader = readers[index % readers.length] ?? admin;
      return api.getBillingAccount(as(reader), billingAccountId);
    }),
  );
}

/** organizationCount, if the answer shows it. */
export function countIn(answer: Answer): number | undefined {
  const count = at(answer.json, 'data', 'organizationCount');
  return isSuccess(answer) && typeof count === 'number' ? count : undefined;
}

/** The highest organizationCount that checks waited for, by billing account. */
const highestIn = perRun(() => new Map<string, number>());

function rememberShown({ session }: Api, { billingAccountId }: Attachable, count = 0): void {
  const highest = highestIn(session);
  highest.set(billingAccountId, Math.max(count, highest.get(billingAccountId) ?? 0));
}

/** Reads the account until it shows at least what this run saw before: one copy may lag behind another. */
export function readUpToDate(api: Api, attachable: Attachable): Promise<Answer> {
  return readNoEarlier(api, attachable, highestIn(api.session).get(attachable.billingAccountId));
}

/** Reads the count until it is the expected one, for a bounded time because it may lag. Undefined accepts any count. */
export async function countWhen(
  api: Api,
  attachable: Attachable,
  expected: number | undefined,
): Promise<number | undefined> {
  return countIn(await readUntil(api, attachable, (count) => count === expected || expected === undefined));
}

/** Reads the account until it shows at least that count, because one of several replicas may lag behind the last one read. */
export function readNoEarlier(api: Api, attachable: Attachable, shown: number | undefined): Promise<Answer> {
  return readUntil(api, attachable, (count) => count === undefined || shown === undefined || count >= shown);
}

async function readUntil(
  api: Api,
  attachable: Attachable,
  isEnough: (count: number | undefined) => boolean,
): Promise<Answer> {
  const { clock } = api.session;
  const startedAt = clock.now();
  const giveUpAt = startedAt + countPatienceMs(api.session);
  for (let pauseMs = 100; ; pauseMs *= 2) {
    const answer = await readAccount(api, attachable);
    const came = isEnough(countIn(answer));
    if (came || clock.now() >= giveUpAt) {
      rememberShown(api, attachable, countIn(answer));
      if (pauseMs > 100 || !came) rememberCountWait(api.session, clock.now() - startedAt, came);
      return answer;
    }
    await clock.sleep(Math.min(pauseMs, Math.max(1, giveUpAt - clock.now())));
  }
}

export type Count = { readonly id: string; readonly count: number; readonly answer: Answer };

/** The counts of the other declared accounts that can be read. */
export async function otherCounts(api: Api, { billingAccountId }: Attachable): Promise<readonly Count[]> {
  const counts: Count[] = [];
  for (const { id, owner } of api.session.target.billingAccounts) {
    const admin = id === billingAccountId ? undefined : adminOf(api, owner);
    if (admin === undefined) continue;
    const answer = await api.getBillingAccount(as(admin), id);
    const count = countIn(answer);
    if (count !== undefined) counts.push({ id, count, answer });
  }
  return counts;
}
