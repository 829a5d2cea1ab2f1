import { type Api, as } from '../../engine/api.ts';
import { type Answer, isDoubtful, isSuccess, summary } from '../../core/exchange.ts';
import { mostAttachedBefore } from '../../engine/session/attached-before.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { countLagMs } from '../../stage/attachment/count-lag.ts';
import { countWhen } from '../../stage/attachment/counts.ts';
import { readSent } from '../../stage/chats/conversation.ts';
import { type Draft, type Sent, sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { describe } from '../../core/text.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import { isSame } from '../messages/same-messages.ts';
import { lostAttachment } from './lost-attachment.ts';
import type { Change, Command } from './sequence-commands.ts';
import { broken, kept, nothingShown, type Shown } from './sequence-promises.ts';
import type { AccountFacts, World } from './sequence-world.ts';

/** The pause before a suspicious request is repeated, in milliseconds. */
const recheckMs = 1000;

/** A message, held until its response is finished. */
export async function sendInSequence(
  world: World,
  { chat: place }: Command & { do: 'send' },
  sent: Sent[],
): Promise<Shown> {
  const { api } = world;
  const chat = chatAt(world, place);
  const message = api.session.target.assistant.quickPrompt;
  if (chat !== undefined) await sendTo(api, chat, { message, wait: quickPromptWait(api.session) }, sent);
  return nothingShown;
}

/** Whether the message is a slow one that was not waited for. */
export function isAsked({ wait }: Sent): boolean {
  return wait === undefined;
}

export function chatAt({ chats }: World, place: number): Chat | undefined {
  return chats[place % Math.max(1, chats.length)];
}

/** Sends a message once the chat is free, and adds it to `sent`. Blocked if it is not accepted, or the answer shows no message. */
export async function sendTo(
  api: Api,
  chat: Chat,
  draft: Draft & { readonly message: string },
  sent: Sent[],
): Promise<void> {
  let key = '';
  const keyOf = (fresh: string): string => (key = fresh);
  const answer = await sendWhenFree(api, chat, { ...draft, keyOf });
  sent.push(readSent(chat, key, draft.message, answer));
}

/** The same request again must show the same messages, whatever was sent in between. */
export async function repeatInSequence(
  { api }: World,
  { back }: Command & { do: 'repeat' },
  all: readonly Sent[],
): Promise<Shown> {
  // Where a key is forgotten, a slow message once more would take long.
  const sent = all.filter((one) => !isAsked(one));
  const original = back < 0 ? sent.at(-1 - back) : sent[sent.length - 1 - (back % Math.max(1, sent.length))];
  if (original === undefined) return nothingShown;
  const isLatest = all.findLast(({ chat }) => chat === original.chat) === original;
  // While the response is generating, another requirement applies.
  if (isLatest && original.answer.status !== 200) return nothingShown;
  const promise = isLatest ? 'idempotency.after' : 'idempotency.later';
  const first = await sendAgain(api, original);
  if (isSame(original, first)) return kept(promise);
  await api.session.clock.sleep(recheckMs);
  const again = isSuccess(first) ? first : await sendAgain(api, original);
  if (isSame(original, again)) return nothingShown;
  const actual = isSuccess(again) ? 'others' : summary(again);
  return broken(promise, 'the original messages for the same key', actual, original.answer, first, again);
}

/**
 * The account must count each attached organization once, and nothing else. Another client may attach one at any moment, so
 * only a count that is too high a second time is a violation.
 */
export async function countInSequence({ api, account }: World): Promise<Shown> {
  if (account === undefined) return nothingShown;
  const { attachable, attached, count } = account;
  const first = await countWhen(api, attachable, count);
  if (first === count) return kept('attach.count', 'attach.twice');
  if (first === undefined) return nothingShown;
  const counted = first > count && !account.hasRisen ? await countAgain(api, account, first) : first;
  if (counted === undefined || (account.hasRisen && counted < count)) return nothingShown;
  const uncounted = count - counted;
  const expected = `organizationCount ${count} for ${attached.map((id) => describe(id)).join(', ')} and what was there before`;
  if (uncounted > 0 && uncounted <= mostAttachedBefore(api.session, attachable.billingAccountId)) {
    if (uncounted <= account.perhapsBefore) return nothingShown;
    account.perhapsBefore = uncounted;
    const lost = await lostAttachment(api, account, counted);
    if (lost === undefined) return nothingShown;
    const actual = `${counted}, and ${lost.counted} once each of them was attached again`;
    return broken('attach.count', expected, actual, ...lost.evidence);
  }
  await givenStillCount(api, attachable.billingAccountId);
  const promise = counted > count ? 'attach.twice' : 'attach.count';
  const answer = await api.getBillingAccount(as(attachable.admin), attachable.billingAccountId);
  return broken(promise, expected, `${counted}`, answer);
}

/**
 * The count after each organization was attached once more. Undefined if it is not higher than the one that was `seen`, which is
 * then the one that the account must show from now on.
 */
async function countAgain(api: Api, account: AccountFacts, seen: number): Promise<number | undefined> {
  const { attachable, attached } = account;
  const { admin, billingAccountId } = attachable;
  account.hasRisen = true;
  for (const organizationId of attached) await api.attachOrganization(as(admin), billingAccountId, { organizationId });
  await api.session.clock.sleep(countLagMs(api.session));
  const counted = await countWhen(api, attachable, undefined);
  if (counted !== undefined && counted > seen) return counted;
  account.count = seen;
  return undefined;
}

/** Whatever the answer is, nothing new is attached. */
export async function attachAgainInSequence(
  { api, account }: World,
  { which }: Command & { do: 'attach-again' },
): Promise<Shown> {
  const organizationId = account?.attached[which % account.attached.length];
  if (account === undefined || organizationId === undefined) return nothingShown;
  const { admin, billingAccountId } = account.attachable;
  await api.attachOrganization(as(admin), billingAccountId, { organizationId });
  return nothingShown;
}

const listsForAdmins = [
  ['listDataSources', 'access.denied/listDataSources'],
  ['listModels', 'access.models-404'],
] as const;

/** Attaching an organization or deleting a data source must not grant access. */
export async function strangerInSequence(
  { api, lists, account }: World,
  { which }: Command & { do: 'stranger' },
): Promise<Shown> {
  const organizations = [...(account?.attached ?? []).toReversed(), lists.listDataSources.organizationId];
  const pairs = organizations.flatMap((id) =>
    api.session.target.principals
      .filter(({ adminOf }) => !adminOf.includes(id))
      .map((principal) => ({ id, principal })),
  );
  // The two lists in turns.
  const [list, promise] = which % 2 === 0 ? listsForAdmins[0] : listsForAdmins[1];
  const pair = pairs[Math.floor(which / 2) % Math.max(1, pairs.length)];
  if (pair === undefined) return nothingShown;
  const { id, principal } = pair;
  const answer = await requestPage(api, list, as(principal), id, { limit: 1 });
  if (!isSuccess(answer)) return kept(promise);
  const expected = `no 2xx for ${principal.name}, not an admin of ${describe(id)}, after the changes of the sequence`;
  return broken(promise, expected, summary(answer), answer);
}

/**
 * Attaches what is left to attach, or deletes what is left to delete; the model follows what was accepted. False where an
 * answer leaves open whether it was made.
 */
export async function changeInSequence(world: World, change: Change): Promise<boolean> {
  world.changed += 1;
  const answer = await (change.do === 'attach' ? attachNext(world) : deleteNext(world));
  return answer === undefined || (answer.status < 500 && !isDoubtful(answer));
}

async function attachNext({ api, account, attachable }: World): Promise<Answer | undefined> {
  const next = attachable.find(({ organizationId }) => account?.attached.includes(organizationId) === false);
  if (next === undefined || account === undefined) return undefined;
  const { admin, billingAccountId, organizationId } = next;
  const answer = await api.attachOrganization(as(admin), billingAccountId, { organizationId });
  if (isSuccess(answer)) {
    account.attached.push(organizationId);
    account.count += 1;
  }
  return answer;
}

async function deleteNext({ api, deletable, deleted }: World): Promise<Answer | undefined> {
  const next = deletable.find((one) => deleted.every(({ disposable }) => disposable !== one));
  if (next === undefined) return undefined;
  const answer = await api.deleteDataSource(as(next.admin), next.organizationId, next.id);
  if (isSuccess(answer)) deleted.push({ disposable: next, answer });
  return answer;
}
