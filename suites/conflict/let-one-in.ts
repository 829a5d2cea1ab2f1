import { type Answer, type Exchange, isSuccess } from '../../core/exchange.ts';
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
  let needsKey = false;
  const rounds: (readonly Exchange[])[] = [];
  // Requests with wait show how long a response was generating, also without a key; requests without wait can be repeated with theirs.
  while (mayRecur(rounds)) {
    const wait = rounds.length % 2 === 0 ? undefined : pace.holdSeconds;
    await quiet(api, chat);
    const { made, stumbled } = await withTransientErrors(api, () => race(api, chat, { wait, needsKey }));
    const { accepted, denied } = made;
    if (!needsKey && made.needsKey) needsKey = true;
    else rounds.push(stumbled);
    const keyed = accepted.filter(({ key }) => key !== '');
    if (accepted.length > 1 && keys) await followToEnd(api, keyed, pace);
    mustBeExplicable(api, chat);
    hasShown ||= accepted.length === 1;
    // After the last round nothing is left to see in the chat, unless messages are still queued.
    if (accepted.length === 1 && !mayRecur(rounds)) break;
    const isLate = accepted.some(({ answer }) => answer.elapsedMs > 2 * pace.holdSeconds * 1000);
    // A single one may be late because of the network.
    if (accepted.length > 1 && isLate) throw new Blocked(queued);
    if (!keys || keyed.length < accepted.length || !(await isShownFinished(api, chat))) await settle(api, chat);
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

type Race = {
  /** The key of a message that was sent without one is empty. */
  readonly accepted: readonly Sent[];
  readonly denied: Denied | undefined;
  /** Whether messages without a key were refused. A deployment may require one for every message. */
  readonly needsKey: boolean;
};

/**
 * Sends all messages at once, as two admins if there are two. If they have a wait, only the last one has a key, because keys may have a
 * lock of their own.
 */
async function race(
  api: Api,
  chat: Chat,
  { wait, needsKey }: { readonly wait: number | undefined; readonly needsKey: boolean },
): Promise<Race> {
  const text = api.session.target.assistant.slowPrompt;
  const admins = [chat.admin, anotherAdminOf(api, chat) ?? chat.admin];
  const callerOf = (index: number) => as(admins[index % admins.length] ?? chat.admin);
  const isUnkeyed = (index: number) => !needsKey && wait !== undefined && index < racing - 1;
  const keys: string[] = [];
  const answers = await atOnce(racing, (index, gate) => {
    const keyOf = (fresh: string) => {
      if (isUnkeyed(index)) return null;
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
      else if (other.status === 409 || !isUnkeyed(index)) mustBeConflict(other, answer);
    }
  }
  const lacksKey = (answer: Answer, index: number) => isUnkeyed(index) && !isSuccess(answer) && answer.status !== 409;
  return { accepted, denied, needsKey: answers.some(lacksKey) };
}
