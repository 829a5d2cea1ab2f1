import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import type { Violation } from '../../engine/verdict.ts';
import { inexplicableIn, leaveOut } from '../../stage/chats/chat-attempts.ts';
import { giveBack, givenGenerating, givenIdleChat, settle } from '../../stage/chats/conversation.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { finishedIn, suspectKey, unrepeatedIn } from '../../stage/chats/latest-message.ts';
import { followToEnd, givenPace } from '../../stage/chats/pace.ts';
import { loseTrack, quiet, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { uuidKey, uuidVariantsOf } from './key-variants.ts';
import { repeated } from './must-repeat.ts';

type Alike = { readonly what: string; readonly answer: Answer };

/** A message that is repeated while its response is generating. */
export type RepeatedMeanwhile = {
  readonly sent: Sent;
  /** The answers to its repetitions. */
  readonly again: readonly Answer[];
  /** Another message right after them, and after a repetition of the message before. */
  readonly next: Answer;
  /** The answers to messages with keys that resemble its key; none if the next message was not refused. */
  readonly alike: readonly Alike[];
  /** What shows two responses at a time, if the next message was not refused. */
  readonly violation: Violation | undefined;
};

/** A run sends this message once. Its response shows three requirements what a key does while a response is generating. */
export const givenRepeatedMeanwhile = shared(async (api: Api): Promise<RepeatedMeanwhile> => {
  await givenKeyHeader(api);
  const pace = await givenPace(api);
  const { chats } = api.session;
  const finished = chats.all.filter((one) => finishedIn(api.session, one) !== undefined);
  const chat = await givenIdleChat(api, finished.length > 0 ? (one) => finished.includes(one) : undefined);
  try {
    await quiet(api, chat);
    const older = finishedIn(api.session, chat);
    const sent = await givenGenerating(api, chat, { keyOf: uuidKey });
    // The response also has to outlast the message itself, the older one and the next one.
    const fitting = Math.floor(pace.responseMs / Math.max(1, sent.answer.elapsedMs)) - 3;
    const again = await repeated(api, sent, Math.max(1, fitting));
    if (older !== undefined) {
      await sendAgain(api, older);
      leaveOut(api, chat, older.key);
    }
    const next = await send(api, chat, { message: api.session.target.assistant.quickPrompt });
    if (next.status === 409) {
      const alike = await sendAlike(api, sent);
      await sendKeyOfAnother(api, chat);
      return { sent, again, next, alike, violation: undefined };
    }
    // Only a repetition can show that the first response was still generating when the next message was accepted.
    await followToEnd(api, [sent], pace);
    await settle(api, chat);
    await sendAgain(api, sent, { wait: slowPromptWait(api.session) });
    return { sent, again, next, alike: [], violation: inexplicableIn(api, chat) };
  } finally {
    giveBack(api, chat);
  }
});

/** The busy chat refuses the key of a message in another chat. That message must keep it: idempotency.after/at-last repeats it. */
async function sendKeyOfAnother(api: Api, chat: Chat): Promise<void> {
  const another = unrepeatedIn(api.session).find((one) => one.chat !== chat && one.caller.name === chat.admin.name);
  if (another === undefined) return;
  const { text: message, written, key } = another;
  const answer = await send(api, chat, { message, ...written, keyOf: () => key }, { patient: false });
  if (isSuccess(answer)) loseTrack(api, chat);
  suspectKey(api.session, key);
}

/** Messages to the busy chat, whose keys resemble the key of `sent`, up to the first that is accepted. */
async function sendAlike(api: Api, { chat, key, text: message }: Sent): Promise<readonly Alike[]> {
  const alike: Alike[] = [];
  for (const [what, other] of uuidVariantsOf(key)) {
    const answer = await send(api, chat, { message, keyOf: () => other }, { patient: false });
    alike.push({ what, answer });
    if (!isSuccess(answer)) continue;
    loseTrack(api, chat);
    break;
  }
  return alike;
}
