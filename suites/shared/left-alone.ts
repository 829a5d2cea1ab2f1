import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { discardAttachable } from '../../stage/attachment/attachables.ts';
import { readUpToDate } from '../../stage/attachment/counts.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { makeIdle } from '../../stage/chats/conversation.ts';
import { type Draft, quiet, send } from '../../stage/chats/sending.ts';
import { sourcesWithModels } from '../../stage/lists/sources-with-models.ts';
import { strayEdit, strayMark } from '../../engine/history/deletion-mark.ts';
import { discardDisposable, isSpoilt, isTaken } from '../../stage/deletion/disposables.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { at, stringAt } from '../../core/json.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { givenWalk, type Walk } from '../../stage/lists/walk.ts';
import { readPage } from '../../core/page.ts';
import { firstWait } from '../../engine/session/patience.ts';
import { givenStillBefore, givenStillCount, givenStillList } from '../../stage/lists/stillness.ts';
import { describe } from '../../core/text.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenThread, mustNotBranch, parentIn } from '../../stage/chats/thread.ts';
import { sourceIdOf } from '../models/model-filters.ts';
import { Blocked } from '../../engine/verdict.ts';

const promisedKey = 'the idempotency key of the refused message still free';

/** How long what has to stay unchanged is watched after a refusal, in milliseconds. */
const watchedMs = 20_000;

/** What shows that a message was carried out. */
export type ShownBy = 'conflict' | 'parent';

/**
 * The requests of `intrude` to an idle chat must leave no trace. The chat must still accept a message at once. If messages have a
 * parentId, the next one must name the last accepted message. If the intruders had an idempotency key, it must still be free, unless `keyWhen` hides it. Blocked
 * if no message could show a trace. Returns what would have shown one, and `intrude` gets it: `conflict` only while the assistant
 * would have been busy.
 */
export async function mustLeaveChatAlone(
  api: Api,
  chat: Chat,
  intrude: (shownBy: ShownBy) => Promise<readonly Answer[]>,
  keyWhen: (shownBy: ShownBy) => string | undefined = () => undefined,
): Promise<ShownBy> {
  const { last, usual } = await givenThread(api, chat);
  await quiet(api, chat);
  const shownBy: ShownBy = usual === undefined ? 'conflict' : 'parent';
  const key = keyWhen(shownBy);
  const intruders = await intrude(shownBy);
  const { quickPrompt, slowPrompt } = api.session.target.assistant;
  const draft = { message: quickPrompt, wait: firstWait(api.session) };
  const keyed = { ...draft, keyOf: (fresh: string) => key ?? fresh };
  const next =
    usual === undefined
      ? await send(api, chat, { message: slowPrompt })
      : await (key === undefined ? send(api, chat, draft) : sendWithKey(api, chat, keyed, intruders));
  must(next.status !== 409, 'the chat still idle after the refused message', summary(next), ...intruders, next);
  if (key !== undefined) {
    const first = usual === undefined ? await sendOnceIdle(api, chat, keyed, next) : next;
    if (first !== undefined) await mustBeFirst(api, chat, first, intruders);
  }
  if (!isSuccess(next)) throw new Blocked(`chat ${chat.chatId} accepted no message afterwards: ${summary(next)}`);
  if (usual === undefined && next.status === 200) {
    throw new Blocked('messages have no parentId and the assistant answers at once, so no answer could show an effect');
  }
  const parent = at(next.json, 'data', 'userMessage', 'parentId');
  const holds = usual === undefined || parentIn(next, last) === usual;
  if (!holds) mustNotBranch(api, next, last.answer);
  must(holds, 'a parentId that names the last accepted message', `parentId ${describe(parent)}`, ...intruders, next);
  return shownBy;
}

/** How often the key of refused messages is sent while a limit refuses it. */
const keyTries = 3;

/** The answer to that message. A limit must not refuse its key, the key of the `intruders`, while it lets another one pass. */
async function sendWithKey(api: Api, chat: Chat, draft: Draft, intruders: readonly Answer[]): Promise<Answer> {
  const sendOnce = () => send(api, chat, draft, { tries: keyTries });
  const answer = await unlessBlocked(sendOnce);
  if (answer !== undefined) return answer;
  const { keyOf: _keyOf, ...other } = draft;
  const passed = await send(api, chat, other);
  const again = await unlessBlocked(sendOnce);
  const actual = `${summary(passed)} for another key, and 429 for this one before and after that`;
  must(again !== undefined || !isSuccess(passed), promisedKey, actual, ...intruders, passed);
  throw new Blocked('other requests used up the same quota: run the suite again');
}

/** Sends after the response to an accepted message; undefined if the chat does not become idle. */
async function sendOnceIdle(api: Api, chat: Chat, draft: Draft, accepted: Answer): Promise<Answer | undefined> {
  if (!isSuccess(accepted)) return undefined;
  const answer = await unlessBlocked(async () => {
    // A 409 may use the key up.
    await makeIdle(api, chat);
    await quiet(api, chat);
    return send(api, chat, draft);
  });
  return answer?.status === 409 ? undefined : answer;
}

/** The quick prompt with the idempotency key of refused slow prompts is a new message. */
async function mustBeFirst(api: Api, chat: Chat, first: Answer, intruders: readonly Answer[]): Promise<void> {
  const { quickPrompt, slowPrompt } = api.session.target.assistant;
  if (!isSuccess(first)) {
    const isTaken = isSuccess(await send(api, chat, { message: quickPrompt, wait: firstWait(api.session) }));
    must(!isTaken, promisedKey, summary(first), ...intruders, first);
  }
  const text = stringAt(first.json, 'data', 'userMessage', 'text');
  const isOwn = text !== slowPrompt || slowPrompt === quickPrompt;
  must(isOwn, 'a message of its own for the key of a refused one', 'the refused one', ...intruders, first);
}

/** The list of the data source, read again. */
export function listAround(api: Api, { organizationId, admin }: Disposable): Promise<Walk> {
  return givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
}

/** A data source whose deletion must be refused, and whether it has models: others may have deleted them since the run began. */
export type Guarded = Disposable & { readonly hasModels: boolean };

/** Reads whether the data source has models, right before its deletion must be refused. */
export async function guard(api: Api, disposable: Disposable): Promise<Guarded> {
  const hadModels = await sourcesWithModels(api);
  const hasModels = hadModels(disposable) && readPage(await oneModelOf(api, disposable))?.items.length === 1;
  return { ...disposable, hasModels };
}

function oneModelOf(api: Api, { organizationId, id, admin }: Disposable): Promise<Answer> {
  return requestPage(api, 'listModels', as(admin), organizationId, { databaseConnectionId: id, limit: 1 });
}

/** After the `refused` requests, the list must show the data source unchanged and not marked as deleted. */
export async function mustStillBeListed(
  api: Api,
  disposable: Guarded,
  list: Walk,
  refused: readonly Answer[],
): Promise<void> {
  const { organizationId, id, record, admin } = disposable;
  const pages = list.pages.map(({ answer }) => answer);
  const now = list.items.find((item) => item.id === id);
  if (now === undefined && !list.complete) throw new Blocked(`the list is too long to find ${id} in it`);
  const mark = now === undefined ? undefined : strayMark(record, now.record, undefined);
  const edited = now === undefined ? undefined : strayEdit(record, now.record);
  if (now === undefined || mark !== undefined || edited !== undefined) {
    discardDisposable(api, disposable);
    await givenStillList(api, 'listDataSources', admin, organizationId);
  }
  must(now !== undefined, `${describe(id)} still listed`, 'it is gone', ...refused, ...pages);
  must(mark === undefined, `${describe(id)} not marked as deleted`, `marked by ${mark}`, ...refused, ...pages);
  must(edited === undefined, `${describe(id)} unchanged`, `it has another ${edited}`, ...refused, ...pages);
  await mustStillHaveModels(api, disposable, refused);
}

/** A cascading deletion may have deleted the models although the data source still exists. */
async function mustStillHaveModels(api: Api, disposable: Guarded, refused: readonly Answer[]): Promise<void> {
  if (!disposable.hasModels) return;
  const answer = await oneModelOf(api, disposable);
  // Other checks judge everything else about the page.
  if (readPage(answer)?.items.length !== 0) return;
  const { organizationId, id, admin } = disposable;
  await givenStillList(api, 'listModels', admin, organizationId);
  // Another client would hardly delete the models of this data source alone.
  const models = await givenWalk(api, 'listModels', as(admin), organizationId, { limit: 100 });
  const isOwn = (sourceId: string): boolean => sourceId === id || isTaken(api, organizationId, sourceId);
  await givenStillBefore(api, 'listModels', organizationId, models, (item) => isOwn(sourceIdOf(item) ?? ''));
  must(false, `the models of ${describe(id)} still listed`, 'no models', ...refused, answer);
}

/** Waits until {@link watchedMs} after the last of these answers: by then a queue or a job has done what was refused. */
export async function untilWatched({ session: { clock } }: Api, refused: readonly Answer[]): Promise<void> {
  await clock.sleep(Math.max(...refused.map(({ exchange }) => exchange.receivedAt)) + watchedMs - clock.now());
}

/** The same after a while: a refused deletion may be queued, and lists may lag. */
export async function mustStayListed(api: Api, disposable: Guarded, refused: readonly Answer[]): Promise<void> {
  const { organizationId, id } = disposable;
  if (isSpoilt(api, organizationId, id))
    throw new Blocked(`this run deleted ${id} later: declare more under organizations.<id>.disposableDataSources`);
  await untilWatched(api, refused);
  const list = await listAround(api, disposable);
  await mustStillBeListed(api, disposable, list, refused);
}

/** Requests to attach an organization that must be refused, and organizationCount around them. */
export type Intrusion = { readonly before: number; readonly refused: readonly Answer[]; readonly after: number };

export async function countAround(
  api: Api,
  attachable: Attachable,
  intrude: () => Promise<readonly Answer[]>,
): Promise<Intrusion> {
  const before = await givenOrganizationCount(api, attachable);
  const refused = await intrude();
  return { before, refused, after: await givenOrganizationCount(api, attachable) };
}

/** The refused attachments must leave organizationCount as it was. */
export async function mustNotCount(
  api: Api,
  attachables: readonly [Attachable, ...Attachable[]],
  { before, refused, after }: Intrusion,
): Promise<void> {
  if (after !== before) {
    for (const attachable of attachables) discardAttachable(api, attachable);
    await givenStillCount(api, attachables[0].billingAccountId);
  }
  must(after === before, `organizationCount still ${before}`, String(after), ...refused);
}

/** organizationCount as an admin of the owner reads it. Blocked when there is none: billing.types judges that. */
export async function givenOrganizationCount(api: Api, attachable: Attachable): Promise<number> {
  const answer = await readUpToDate(api, attachable);
  const count = at(answer.json, 'data', 'organizationCount');
  if (typeof count === 'number') return count;
  throw new Blocked(`billing account ${attachable.billingAccountId} shows no organizationCount: ${summary(answer)}`);
}
