import { type Exchange, isSuccess } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { atOnce } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Blocked } from '../../engine/verdict.ts';
import { anotherAdminOf } from '../../stage/chats/another-admin.ts';
import { mustBeExplicable } from '../../stage/chats/chat-attempts.ts';
import { givenIdleChat, isShownFinished, readSent, settle, tooFast } from '../../stage/chats/conversation.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { followToEnd, givenPace } from '../../stage/chats/pace.ts';
import { loseTrack, quiet, type Sent, send } from '../../stage/chats/sending.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { mayRecur, mustBeAccidents, withTransientErrors } from '../shared/transient-errors.ts';
import { type Denied, mayDeny, mustNotDenyWhileBusy } from './denied-while-busy.ts';
import { mustBeConflict } from './must-be-conflict.ts';
import { mustNotOverlap } from './overlap.ts';

/** Messages sent to one chat at the same instant. */
const racing = 5;
const queued = 'messages at the same instant waited for each other, so none of them met a generating response';

/**
 * Of several messages at the same instant to an idle chat one must be accepted and the others refused with 409. Several
 * accepted ones are a violation only where they cannot have followed each other.
 */
export async function mustLetOneIn(api: Api): Promise<void> {
  const keys = await keysWork(api);
  const pace = await givenPace(api);
  const chat = await givenShared(api);
  let hasShown = false;
  const rounds: (readonly Exchange[])[] = [];
  // Requests with wait show how long a response was generating; requests without wait can be repeated with their key.
  while (mayRecur(rounds)) {
    const wait = rounds.length % 2 === 0 ? pace.holdSeconds : undefined;
    await quiet(api, chat);
    const { made, stumbled } = await withTransientErrors(api, () => race(api, chat, wait));
    const { accepted, denied } = made;
    rounds.push(stumbled);
    if (accepted.length > 1 && keys) await followToEnd(api, accepted, pace);
    mustBeExplicable(api, chat);
    hasShown ||= accepted.length === 1;
    // After the last round nothing is left to see in the chat, unless messages are still queued.
    if (accepted.length === 1 && !mayRecur(rounds)) break;
    const isLate = wait !== undefined && accepted.some(({ answer }) => answer.elapsedMs > 2 * wait * 1000);
    // A single one may be late because of the network.
    if (accepted.length > 1 && isLate) throw new Blocked(queued);
    if (!keys || !(await isShownFinished(api, chat))) await settle(api, chat);
    if (denied !== undefined && rounds.length === 1) await mustNotDenyWhileBusy(api, chat, denied);
  }
  mustBeAccidents(api, 'sendMessage', rounds, racing, '409 while a response is generating');
  if (hasShown) return;
  await mustNotOverlap(api, chat, pace, 'at the same instant');
  throw new Blocked(tooFast);
}

/** An idle chat of an organization with two admins, if one is left: the lock of a chat may hold for one member alone. */
async function givenShared(api: Api): Promise<Chat> {
  const isShared = (chat: Chat): boolean => anotherAdminOf(api, chat) !== undefined;
  const shared = api.session.chats.all.some(isShared)
    ? await unlessBlocked(() => givenIdleChat(api, isShared))
    : undefined;
  return shared ?? givenIdleChat(api);
}

type Race = { readonly accepted: readonly Sent[]; readonly denied: Denied | undefined };

/** Sends all messages at once, as two admins if there are two. */
async function race(api: Api, chat: Chat, wait: number | undefined): Promise<Race> {
  const text = api.session.target.assistant.slowPrompt;
  const admins = [chat.admin, anotherAdminOf(api, chat) ?? chat.admin];
  const callerOf = (index: number) => as(admins[index % admins.length] ?? chat.admin);
  const keys: string[] = [];
  const answers = await atOnce(racing, (index, gate) => {
    const keyOf = (fresh: string) => {
      keys[index] = fresh;
      return fresh;
    };
    const caller = callerOf(index);
    return send(api, chat, { message: text, keyOf, ...(wait === undefined ? {} : { wait }) }, { gate, caller });
  });
  if (answers.filter(isSuccess).length === 1) api.session.chats.mark(chat, 'unknown');
  else loseTrack(api, chat);
  const accepted = answers.flatMap((answer, index) =>
    isSuccess(answer) ? [{ ...readSent(chat, keys[index] ?? '', text, answer), caller: callerOf(index) }] : [],
  );
  let denied: Denied | undefined;
  for (const { answer } of accepted.slice(0, 1)) {
    for (const [index, other] of answers.entries()) {
      // Another admin of the organization may not be a user of the chat.
      const isOther = admins[index % admins.length] !== chat.admin;
      if (isOther && mayDeny(other)) denied = { caller: callerOf(index), answer: other };
      else mustBeConflict(other, answer);
    }
  }
  return { accepted, denied };
}
