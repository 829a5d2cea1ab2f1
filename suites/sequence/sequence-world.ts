import { untilCounted } from '../../stage/attachment/count-lag.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { takeAnother } from '../../stage/attachment/attachables.ts';
import { givenAttachmentRace } from '../../stage/attachment/attachment-race.ts';
import { givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { countIn, readUpToDate } from '../../stage/attachment/counts.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenChat, givenPair, makeIdle } from '../../stage/chats/conversation.ts';
import { givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { givenDeletionRace } from '../../stage/deletion/deletion-race.ts';
import { takeSpareDisposables } from '../../stage/deletion/disposables.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { at, stringAt } from '../../core/json.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { givenLists, type ListFixture } from '../../stage/lists/lists.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { givenWalk } from '../../stage/lists/walk.ts';
import type { Item, ListOperation } from '../../core/page.ts';
import type { Listed } from '../../engine/history/page-problem.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import type { Principal, SideEffect } from '../../core/target.ts';
import { givenUnlikeDeletions } from '../deletion/unlike-deletions.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Change } from './sequence-commands.ts';

/** A data source that a sequence deleted. */
export type Deleted = { readonly disposable: Disposable; readonly answer: Answer };

/** A billing account, and what a sequence did to it. */
export type AccountFacts = {
  readonly attachable: Attachable;
  /** Organizations that were accepted, in order. */
  readonly attached: string[];
  /** The count that the account must show. */
  count: number;
  /** Whether it was once higher than that, which another client may have caused. */
  hasRisen: boolean;
  /** How many uncounted organizations an earlier run may have attached: attaching them again did not raise the count. */
  perhapsBefore: number;
};

/** A list of an organization as it was at the beginning, newest first, and those who may read it. */
export type ListPlace = {
  readonly organizationId: string;
  readonly admins: readonly [Principal, ...Principal[]];
  items: readonly Placed[];
};

/** An item, and the data source that it is or belongs to. */
type Placed = Listed & { readonly sourceId: string };

/** The model of the deployment that the answers to sequences are compared with. */
export type World = {
  readonly api: Api;
  readonly chats: readonly Chat[];
  readonly lists: Readonly<Record<ListOperation, ListPlace>>;
  /** The models of each remaining data source that has any. */
  readonly modelsOf: ReadonlyMap<string, readonly Listed[]>;
  readonly deletable: readonly Disposable[];
  readonly attachable: readonly Attachable[];
  readonly deleted: Deleted[];
  /** Undefined where nothing was attached. */
  readonly account: AccountFacts | undefined;
  /** Why nothing is written, deleted or attached, where that is allowed. */
  readonly lacking: ReadonlyMap<SideEffect, string>;
  /** Changes that were made so far. */
  changed: number;
  /** How many data sources were deleted when items were first lost, which another client may have caused. */
  lossAfter: number | undefined;
};

/** Changes of each kind that the sequences make where they may. */
const changesMost = 2;

/** Claims what a sequence may use, and reads the lists. Blocked if there is no list. */
export async function givenWorld(api: Api): Promise<World> {
  await playOthers(api);
  const lacking = new Map<SideEffect, string>();
  const given = <Value>(effect: SideEffect, make: () => Promise<Value>): Promise<Value | undefined> =>
    allowed(api, effect, make, (reason) => lacking.set(effect, reason));
  const deletable = (await given('deletions', () => takeSpareDisposables(api, changesMost))) ?? [];
  const chats = (await given('messages', () => givenChats(api, deletable[0]?.organizationId))) ?? [];
  const near = deletable[0]?.organizationId ?? chats[0]?.organizationId;
  const sources = await givenPlace(api, 'listDataSources', near);
  const models = await givenPlace(api, 'listModels', near);
  const modelsOf = Map.groupBy(models.items, ({ sourceId }) => sourceId);
  for (const { disposableDataSources } of api.session.target.organizations) {
    for (const id of disposableDataSources) modelsOf.delete(id);
  }
  const lists = { listDataSources: sources, listModels: models };
  const account = await given('attachments', () => givenAccount(api));
  const attachable = account === undefined ? [] : takeAttachables(api, account);
  const facts = { api, chats, lists, modelsOf, deletable, attachable, account, lacking };
  return { ...facts, deleted: [], changed: 0, lossAfter: undefined };
}

/**
 * The other deletions and attachments go first, in the order of a whole run: they need what is declared more, and a check
 * that is replayed alone finds them done as it did in the run.
 */
async function playOthers(api: Api): Promise<void> {
  await allowed(api, 'deletions', () => givenAcceptedDeletion(api));
  await allowed(api, 'attachments', () => givenAcceptedAttachment(api));
  await allowed(api, 'deletions', () => givenDeletionRace(api));
  await allowed(api, 'attachments', () => givenAttachmentRace(api));
  await allowed(api, 'deletions', () => givenUnlikeDeletions(api));
}

/** The possible changes. */
export function changesOf({ deletable, attachable }: World): readonly Change[] {
  return [...attachable.map((): Change => ({ do: 'attach' })), ...deletable.map((): Change => ({ do: 'delete' }))];
}

async function allowed<Value>(
  api: Api,
  effect: SideEffect,
  make: () => Promise<Value>,
  onBlocked: (reason: string) => void = () => {},
): Promise<Value | undefined> {
  return api.session.target.allow.has(effect) ? unlessBlocked(make, onBlocked) : undefined;
}

/** The list of the organization where things are deleted and written, or the longest one where that has nothing. */
async function givenPlace(api: Api, list: ListOperation, near: string | undefined): Promise<ListPlace> {
  const all = (await givenLists(api, list)).toSorted((one, other) => other.walk.items.length - one.walk.items.length);
  const nearest = all.find(({ organizationId, walk }) => organizationId === near && walk.items.length > 1) ?? all[0];
  if (nearest === undefined) throw new Blocked(`no ${list} could be read`);
  const { organizationId, admin } = nearest;
  const others = await otherReaders(api, list, nearest);
  const { items } = await givenWalk(api, list, as(admin), organizationId, { limit: 100 });
  const disposables = new Set(
    api.session.target.organizations.find(({ id }) => id === organizationId)?.disposableDataSources,
  );
  return { organizationId, admins: [admin, ...others], items: listed(list, items, disposables) };
}

/** The other admins who can read the list now; access.granted judges refusals from the beginning. */
async function otherReaders(
  api: Api,
  list: ListOperation,
  { organizationId, admin }: ListFixture,
): Promise<readonly Principal[]> {
  const readers: Principal[] = [];
  for (const principal of api.session.target.principals) {
    if (principal === admin || !principal.adminOf.includes(organizationId)) continue;
    const answer = await requestPage(api, list, as(principal), organizationId, { limit: 1 });
    if (isSuccess(answer)) readers.push(principal);
  }
  return readers;
}

async function givenChats(api: Api, organizationId: string | undefined): Promise<readonly Chat[]> {
  if (!(await keysWork(api))) throw new Blocked('no idempotency header is known');
  const fits = (chat: Chat): boolean =>
    api.session.chats.all.every((other) => other.organizationId !== organizationId) ||
    chat.organizationId === organizationId;
  const paired = (one: Chat, other: Chat): boolean => fits(one) && one.organizationId === other.organizationId;
  const isPair = api.session.chats.all.some((one) =>
    api.session.chats.all.some((other) => one !== other && paired(one, other)),
  );
  const chats = isPair ? await givenPair(api, paired) : [await givenChat(api, fits)];
  for (const chat of chats) await makeIdle(api, chat);
  return chats;
}

/** What of a list may go when disposable data sources are deleted: they, and the models over them. */
function listed(list: ListOperation, items: readonly Item[], disposables: ReadonlySet<string>): readonly Placed[] {
  const sourceOf = ({ id, record }: Item): string =>
    list === 'listDataSources' ? id : (stringAt(record, 'databaseConnectionId') ?? '');
  const over = new Set(items.filter((item) => disposables.has(sourceOf(item))).map(({ id }) => id));
  return items.map((item) => {
    const relationships = at(item.record, 'relationships');
    const targets = Array.isArray(relationships)
      ? relationships.map((one) => stringAt(one, 'targetModelId') ?? '')
      : [];
    // A cleanup job may delete models that depend on a deleted one.
    const mayLack = over.has(item.id) || targets.some((id) => over.has(id));
    return { id: item.id, mayLack, sourceId: sourceOf(item) };
  });
}

async function givenAccount(api: Api): Promise<AccountFacts> {
  const { attachable, attached } = await givenAcceptedAttachment(api);
  // The count may lag behind earlier attachments.
  await untilCounted(api.session);
  const count = countIn(await readUpToDate(api, attachable));
  if (count === undefined) throw new Blocked('the billing account shows no organizationCount');
  const ids = attached.map(({ organizationId }) => organizationId);
  return { attachable, attached: ids, count, hasRisen: false, perhapsBefore: 0 };
}

function takeAttachables(api: Api, { attachable }: AccountFacts): readonly Attachable[] {
  const taken = Array.from({ length: changesMost }, () => takeAnother(api, attachable, 'to spare'));
  return taken.filter((one) => one !== undefined);
}
