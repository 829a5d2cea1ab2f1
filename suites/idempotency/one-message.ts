import { must } from '../../engine/answer.ts';
import { type Exchange, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { atOnce } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenIdleChat, isShownFinished, readSent, settle } from '../../stage/chats/conversation.ts';
import { quiet, sendAgain } from '../../stage/chats/sending.ts';
import { rememberLatest } from '../../stage/chats/latest-message.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { mustBeSame } from '../messages/same-messages.ts';
import { mayRecur, mustBeAccidents, withTransientErrors } from '../shared/transient-errors.ts';

/** Requests with one key at the same instant. */
const parallel = 4;

const promised = 'the message, or a refusal, for each of several requests with one key';

/** Simultaneous requests with one key must create one message, and must not cause internal errors. */
export async function mustMakeOneMessage(api: Api): Promise<void> {
  await givenKeyHeader(api);
  const chat = await givenIdleChat(api);
  const stumbled: (readonly Exchange[])[] = [];
  while (mayRecur(stumbled)) {
    await quiet(api, chat);
    stumbled.push(await mustAgree(api, chat));
    if (!(await isShownFinished(api, chat))) await settle(api, chat);
  }
  mustBeAccidents(api, 'sendMessage', stumbled, parallel, promised);
}

/** The accepted requests must show one message. Returns the internal errors that disappeared when the request was repeated. */
async function mustAgree(api: Api, chat: Chat, isAgain = false): Promise<readonly Exchange[]> {
  const text = api.session.target.assistant.quickPrompt;
  const key = api.freshKey();
  const { made: answers, stumbled } = await withTransientErrors(api, () =>
    atOnce(parallel, (_index, gate) => sendAgain(api, { chat, key, text }, {}, { gate })),
  );
  api.session.chats.mark(chat, 'unknown');
  for (const answer of answers) {
    // A refusal because of the simultaneous request is legal; an internal error is not.
    const isNoError = answer.status < 500 || answer.status === 503;
    must(isNoError, promised, summary(answer), answer);
  }
  const accepted = answers.filter(isSuccess);
  const [first] = accepted;
  // Another client may have written to the chat just before.
  if (first === undefined && !isAgain && answers.every(({ status }) => status === 409)) {
    await settle(api, chat);
    await quiet(api, chat);
    return mustAgree(api, chat, true);
  }
  const seen = [...new Set(answers.map(summary))].join(', ');
  if (first === undefined) must(false, 'one of several requests with one key accepted', seen, ...answers);
  const sent = readSent(chat, key, text, first);
  rememberLatest(api.session, { chat, caller: as(chat.admin), key, text, answer: first });
  for (const answer of accepted) mustBeSame(sent, answer, 'at the same instant');
  // Twice, because the first repetition may reach the process that accepted the message.
  for (let time = 0; time < 2; time += 1) {
    mustBeSame(sent, await sendAgain(api, sent), 'after it was sent several times at once');
  }
  return stumbled;
}
