import { answerOf, type Exchange } from '../../../core/exchange.ts';
import { type Item, readPage } from '../../../core/page.ts';
import { askedOf } from '../../../core/route.ts';
import type { Principal, Target } from '../../../core/target.ts';
import { describe } from '../../../core/text.ts';
import { marksOf } from '../../../engine/history/deletion-mark.ts';
import { heardMs } from '../../../promises/deletion.ts';
import type { Judgement } from '../../../promises/judgement.ts';
import { isForbidden, isOnceEntry, type MixEntry } from '../../profile/mix.ts';
import type { Listener } from '../../engine/open-engine.ts';
import { listRequest, type LoadRequest } from '../../schedule/load-request.ts';
import { createJudgedTally, type Ended, exchangeOf, type Judged } from './judged.ts';

/** A list that still shows a deleted data source counts if it does so this many times in a row. */
const looks = 3;
/** More pages of a list are not read. */
const mostPages = 20;
const perPage = 100;

export type WatchedDeletions = {
  /** What the search may delete. */
  readonly deletable: ReadonlySet<string>;
  /**
   * What a trial at this rate sends. It deletes one data source at the highest rate, and if the search has tried a rate as high
   * before, and so is near the border. The search deletes as many as the mix says.
   */
  readonly mixAt: (ratePerSecond: number) => Promise<readonly MixEntry[]>;
  readonly listener: Listener;
  /** Judges the deletions since the last call. */
  readonly judge: () => Promise<Judged>;
};

export type WatchOptions = {
  readonly target: Pick<Target, 'organizations' | 'principals' | 'allow'>;
  readonly mix: readonly MixEntry[];
  /** The highest rate of the search. */
  readonly toPerSecond: number;
  readonly timeoutMs: number;
  /** Sends a request when no load is in progress. */
  readonly read: (request: LoadRequest) => Promise<Ended>;
  readonly sleep: (ms: number) => Promise<void>;
};

type Shown = { readonly item: Item; readonly exchange: Exchange };

/** A data source that was deleted under load must be gone from the list of its organization, or marked, when the load is over. */
export function watchDeletions(options: WatchOptions): WatchedDeletions {
  const { target, mix, toPerSecond, sleep } = options;
  const entry = mix.filter(isOnceEntry).find(({ operation }) => operation === 'deleteDataSource');
  const others = mix.filter((one) => one !== entry);
  const isWanted = entry !== undefined && !isForbidden(entry, target.allow);
  const deletable = new Set(isWanted ? target.organizations.flatMap((one) => one.disposableDataSources) : []);
  let left = Math.min(entry?.most ?? 0, deletable.size);
  let highestPerSecond = 0;
  const before = new Map<string, Shown>();
  let deleted: Ended[] = [];

  async function mixAt(ratePerSecond: number): Promise<readonly MixEntry[]> {
    const isNear = ratePerSecond <= highestPerSecond || ratePerSecond >= toPerSecond;
    highestPerSecond = Math.max(highestPerSecond, ratePerSecond);
    if (entry === undefined || !isNear || left === 0) return others;
    if (before.size === 0) {
      await readLists();
      // A trial without one to delete would read page after page to find one, and be slow because of that.
      if (before.size === 0) return others;
      left = Math.min(left, before.size);
    }
    return [...others, { ...entry, most: 1 }];
  }

  async function readLists(): Promise<void> {
    for (const { id: organizationId, disposableDataSources } of target.organizations) {
      const admin = target.principals.find(({ adminOf }) => adminOf.includes(organizationId));
      if (admin === undefined || disposableDataSources.length === 0) continue;
      const { shown } = await listOf(options, admin, organizationId);
      for (const id of disposableDataSources) {
        const found = shown.get(id);
        if (found !== undefined) before.set(id, found);
      }
    }
  }

  function listener(...[request, arrived, { sentAt, endedAt }]: Parameters<Listener>): void {
    const { outcome } = arrived;
    if (request.operation !== 'deleteDataSource') return;
    left -= 1;
    const isAccepted = typeof outcome === 'number' && outcome >= 200 && outcome < 300;
    if (isAccepted) deleted.push({ request, arrived, sentAt, endedAt });
  }

  async function judge(): Promise<Judged> {
    const tally = createJudgedTally();
    if (deleted.length > 0) await sleep(heardMs);
    for (const deletion of deleted) {
      const exchange = await exchangeOf(deletion);
      const asked = askedOf(exchange);
      const known = asked?.operation === 'deleteDataSource' ? before.get(asked.id) : undefined;
      const admin = target.principals.find(({ name }) => name === exchange.caller);
      if (asked?.operation !== 'deleteDataSource' || known === undefined || admin === undefined) continue;
      let judgement: Judgement;
      let after: Shown | undefined;
      for (let look = 0; look < looks; look += 1) {
        const { shown, isWhole } = await listOf(options, admin, asked.ownerId);
        after = shown.get(asked.id);
        judgement = judgeList(known, after, isWhole);
        if (judgement === undefined || judgement === 'kept') break;
      }
      const proof = [known.exchange, exchange, after?.exchange].filter((one) => one !== undefined);
      tally.add('delete.gone-or-marked', judgement, proof);
    }
    deleted = [];
    return tally.result();
  }

  return { deletable, mixAt, listener, judge };
}

function judgeList(before: Shown, after: Shown | undefined, isWhole: boolean): Judgement {
  if (after === undefined) return isWhole ? 'kept' : undefined;
  if (marksOf(before.item.record, after.item.record).length > 0) return 'kept';
  const expected = `${describe(before.item.id)} gone from the list or marked, ${heardMs / 1000} s after the load`;
  return { expected, actual: 'it is listed as before' };
}

/** What the list of an organization shows, and whether that is the whole list. */
async function listOf(
  { read, timeoutMs }: Pick<WatchOptions, 'read' | 'timeoutMs'>,
  admin: Principal,
  organizationId: string,
) {
  const shown = new Map<string, Shown>();
  let cursor: string | null = null;
  for (let count = 0; count < mostPages; count += 1) {
    const query: Readonly<Record<string, string>> = cursor === null ? {} : { cursor };
    const exchange = await exchangeOf(
      await read(listRequest('listDataSources', admin, organizationId, perPage, timeoutMs, query)),
    );
    const answer = answerOf(exchange);
    const page = answer && readPage(answer);
    if (page === undefined) return { shown, isWhole: false };
    for (const item of page.items) shown.set(item.id, { item, exchange });
    if (!page.hasMore || page.nextCursor === null) return { shown, isWhole: true };
    cursor = page.nextCursor;
  }
  return { shown, isWhole: false };
}
