import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenChat } from '../../stage/chats/conversation.ts';
import { sendWhenFree, unkeyed } from '../../stage/chats/sending.ts';
import { sharedIdOf } from '../../engine/session/seen-messages.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { describe } from '../../core/text.ts';
import { distinctIds as distinct } from '../../promises/messages.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { Blocked } from '../../engine/verdict.ts';
import { acceptedUnusual } from './unusual-messages.ts';

const uses = { uses: ['messages'] } as const;
const lacksId = 'a message has no ID: messages.envelope judges that';

/** Section 2.4: different messages have different IDs. */
export const distinctIds: readonly Check[] = [
  check('messages.distinct-ids', uses, async (api) => {
    const answers = await givenAccepted(api);
    if (!mustKeep(distinct, answers)) throw new Blocked(lacksId);
    if (answers.length < 2) throw new Blocked('needs two accepted messages in one chat');
  }),

  check('messages.distinct-ids', { ...uses, variant: 'without-key', extended: true }, async (api) => {
    const answers = await givenWithoutKey(api);
    if (!mustKeep(distinct, answers)) throw new Blocked(lacksId);
  }),

  // IDs from a small range or a counter that restarts collide only after many messages, so the whole run is judged.
  check('messages.distinct-ids', { ...uses, phase: 'last', variant: 'at-last', extended: true }, async (api) => {
    await givenAccepted(api);
    const shared = sharedIdOf(api.session);
    if (shared === undefined) return;
    const { id, first, second } = shared;
    must(false, 'a different ID for every message of a chat', `${describe(id)} twice`, first, second);
  }),
];

/** The answers to messages without a key in one chat, two of them with the same text. */
async function givenWithoutKey(api: Api): Promise<readonly Answer[]> {
  const unusual = await acceptedUnusual(api, 'no key');
  const answers = unusual?.map(({ answer }) => answer) ?? (await sendWithoutKey(api));
  for (const answer of answers) {
    api.session.observe('messages.without-key', summary(answer), answer.exchange);
    if (!isSuccess(answer)) throw new Blocked(`a message without a key was answered ${summary(answer)}`);
  }
  return answers;
}

/** The same text without a key, with one, and then without one over the same connection, which may keep the key. */
async function sendWithoutKey(api: Api): Promise<readonly Answer[]> {
  const chat = await givenChat(api);
  const usual = { message: api.session.target.assistant.quickPrompt, wait: quickPromptWait(api.session) };
  const answers: Answer[] = [];
  for (const draft of [{ ...usual, ...unkeyed }, usual, { ...usual, ...unkeyed, follows: true }]) {
    const answer = await sendWhenFree(api, chat, draft);
    answers.push(answer);
    if (!isSuccess(answer)) break;
  }
  return answers;
}
