import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { makeIdle } from '../../stage/chats/conversation.ts';
import { send } from '../../stage/chats/sending.ts';
import { confounderOf } from '../../stage/confounder.ts';
import { type Settled, settled } from '../../engine/settled.ts';
import { mustLeaveChatAlone, type ShownBy } from '../shared/chat-untouched.ts';
import { repetition, untilRefused } from './limit-probe.ts';
import { limitedApart, messageWrite, onceLimited, type Send } from './limited-writes.ts';

/** A message without effect, and the answer to it. */
type Harmless = { readonly send: Send; readonly answer: Answer };
/** What to do once the limit is met. It gives a harmless message that was refused at that moment, if there is one. */
export type WhenLimited = (harmless: () => Promise<Harmless | undefined>) => Promise<void>;
/** Uses the quota up, and calls that once it is. */
type RecordLimit = (whenLimited: WhenLimited) => Promise<void>;

/**
 * A violation must be seen twice: another client may have written to the chat at that moment, and not since. A later judge has no chat
 * to look for a confounder in, so this looks for one.
 */
export async function mustLeaveAlone(api: Api, chat: Chat, record: RecordLimit): Promise<void> {
  const repeating = repetition(api, chat.admin, chat) ?? [];
  const usedUpBy: UsedUpBy = { harmless: untilRefused([messageWrite(api, chat).harmless, repeating].flat()) };
  try {
    await leaveAlone(api, chat, record, usedUpBy);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const confounder = await confounderOf(api, error.evidence, true);
    if (confounder !== undefined) throw new Blocked(confounder);
    const again = await settled(makeIdle(api, chat).then(() => leaveAlone(api, chat, async () => {}, usedUpBy)));
    if (!again.ok && !(again.error instanceof Blocked)) throw again.error;
    const why = again.ok || !(again.error instanceof Blocked) ? 'it did not happen again' : again.error.message;
    throw new Blocked(`violated once (expected ${error.expected}; got ${error.actual}) and not confirmed: ${why}`);
  }
}

/** A queue carries out within this time what was refused, in milliseconds. */
const queuedMs = 3000;

/** A message without effect that uses the quota up: another one once that is seen to be refused. */
type UsedUpBy = { harmless: Send };

/** The message that meets the limit has the slow prompt, so that a chat that processes it is visibly busy. */
async function leaveAlone(api: Api, chat: Chat, record: RecordLimit, usedUpBy: UsedUpBy): Promise<void> {
  const { clock, target } = api.session;
  const key = api.freshKey();
  const write = () => ({ ...messageWrite(api, chat, key), ...usedUpBy });
  let elapsedMs = 0;
  const intrude = async (shownBy: ShownBy): Promise<readonly Answer[]> => {
    const writes: Settled<Answer | undefined>[] = [];
    const meet = async (harmless: Parameters<WhenLimited>[0]): Promise<Answer | undefined> => {
      const met = await harmless();
      if (met !== undefined) usedUpBy.harmless = met.send;
      return onceLimited(write(), 'held', met?.answer);
    };
    await record(async (harmless) => void writes.push(await settled(meet(harmless))));
    const [written] = writes;
    if (written?.ok === false) throw written.error;
    const answer = written?.value ?? (await limitedApart(api, write()));
    // A conflict shows only while the assistant would be responding, a parent at any time.
    if (shownBy === 'parent') await clock.sleep(answer.exchange.receivedAt + queuedMs - clock.now());
    elapsedMs = clock.now() - answer.exchange.sentAt;
    return [answer];
  };
  const shows = await mustLeaveChatAlone(api, chat, intrude, (shownBy) => (shownBy === 'parent' ? key : undefined));
  if (shows === 'parent') return;
  // The chat gets the same prompt now: if it is not busy for as long after that, it would not have been visibly busy before.
  await clock.sleep(elapsedMs);
  const late = await send(api, chat, { message: target.assistant.quickPrompt });
  if (late.status === 409) return;
  throw new Blocked(
    'messages have no parentId, and the window outlasts the response to assistant.slowPrompt: make it slower',
  );
}
