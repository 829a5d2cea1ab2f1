import fc from 'fast-check';
import { must, mustNotBe5xx } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenChat, settle } from '../../stage/chats/conversation.ts';
import { type Draft, sendWhenFree, unkeyed } from '../../stage/chats/sending.ts';
import { givenLongMessages, longText, maxCharacters } from '../../stage/chats/long-messages.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { forAll } from '../../engine/properties.ts';
import { emptyMessage, messageNotString, missingMessage, tooLongMessage } from '../../promises/message-requests.ts';
import { refusal } from '../../promises/judgement.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustBeKept } from '../shared/must-keep.ts';
import { givenOddMessages } from '../shared/odd-characters.ts';
import {
  givenAccepting,
  givenTwin,
  mustRefuse,
  mustRefuseAll,
  observeRefusal,
  refusalOf,
  type Wrong,
} from './refused-message.ts';
import { acceptedUnusual, oneCharacter, twoLengths } from './unusual-messages.ts';

const uses = { uses: ['messages'] } as const;

/** A length that is kept in 16 bits begins anew here: a longer text may seem to have a legal length. */
const lengths16Bits = 65_536;

/** Bodies without a message. */
const withoutMessage = [
  '{}',
  '{"text":"Reply with ok.","stream":true}',
  '[]',
  '[{"message":"Reply with ok."}]',
  'null',
  '"Reply with ok."',
  '',
] as const;

const notStrings = [null, 5, true, ['Reply with ok.'], { text: 'Reply with ok.' }] as const;

/** Each with its content type, and one with an idempotency key that may be stored before the body is read. */
const malformedBodies = [
  ['malformed JSON', '{"message": "Reply with ok."', 'application/json'],
  ['a JSON array, with an empty idempotency key', '["Reply with ok."]', 'application/json', ''],
  ['the JSON value null', 'null', 'application/json'],
  ['a form', 'message=Reply+with+ok.', 'application/x-www-form-urlencoded'],
  ['plain text', 'Reply with ok.', 'text/plain'],
] as const;

/** Sections 4.2 and 8: what is accepted as a message. */
export const messageLimits: readonly Check[] = [
  check('message.minimum', uses, async (api) => {
    if ((await acceptedUnusual(api, 'one character')) !== undefined) return;
    const chat = await givenChat(api);
    for (const message of oneCharacter) {
      const answer = await sendWhenFree(api, chat, { message, wait: quickPromptWait(api.session) });
      await mustBeAccepted(api, chat, `a message of one character, ${describe(message)}`, answer);
      if (answer.status !== 200) await settle(api, chat);
    }
  }),

  check('message.maximum', uses, async (api) => {
    const longest = await givenLongMessages(api);
    const chat = await givenChat(api);
    // The plainest first.
    for (const { what, answer, mayBeRefused } of longest.toReversed()) {
      if (!mayBeRefused) {
        await mustBeAccepted(api, chat, `a message of ${what}`, answer);
        continue;
      }
      const unit = isSuccess(answer) ? 'code points or graphemes' : `UTF-16 units (10000 emoji: ${summary(answer)})`;
      api.session.observe('messages.characters', unit, answer.exchange);
    }
  }),

  check('message.maximum', { ...uses, variant: 'any-length' }, async (api) => {
    if (api.replayPath === undefined && (await acceptedUnusual(api, 'a length')) !== undefined) return;
    const chat = await givenChat(api);
    await forAll(
      api,
      twoLengths,
      { runs: 1, requests: 60 },
      async (shortAndLong) => {
        for (const length of shortAndLong) {
          const message = longText(api, 'a', length);
          const answer = await sendWhenFree(api, chat, { message, wait: quickPromptWait(api.session) });
          await mustBeAccepted(api, chat, `a message of ${length} characters`, answer);
        }
      },
      (drawn) => `messages of ${drawn.join(' and ')} characters`,
    );
  }),

  check('message.empty', uses, (api) =>
    mustRefuseAll(api, emptyMessage, [
      ['an empty message', { message: '' }],
      ['an empty message', { message: '', wait: quickPromptWait(api.session) }],
      ['an empty message without a key', { message: '', ...unkeyed }],
    ]),
  ),

  check('message.too-long', uses, async (api) => {
    const longest = await givenLongMessages(api);
    const chat = await givenChat(api);
    for (const filler of ['a', 'é', '𝒳']) {
      const message = longText(api, filler, maxCharacters + 1);
      const what = filler === 'a' ? '10001 characters' : `10001 characters, ${filler}`;
      // Other code may read a message with wait or without a key, and a length may be checked by its header alone.
      const held = filler === 'é' ? { wait: quickPromptWait(api.session), chunks: 3 } : {};
      await mustRefuse(api, chat, tooLongMessage, [what, { message, ...held, ...(filler === '𝒳' && unkeyed) }]);
    }
    await mustCountLineBreak(api, chat);
    const [refused] = longest.filter(({ mayBeRefused }) => !mayBeRefused).slice(-1);
    if (refused !== undefined && !isSuccess(refused.answer))
      throw new Blocked(`10000 are refused as well: ${summary(refused.answer)}; message.maximum judges that`);
  }),

  check('message.too-long', { ...uses, variant: 'any-length' }, async (api) => {
    const chat = await givenChat(api);
    const lengths = fc.integer({ min: lengths16Bits + 1, max: lengths16Bits + maxCharacters });
    await forAll(
      api,
      lengths,
      { runs: 1, requests: 40 },
      async (length) => {
        // With a wait, because other code may read such a message.
        const draft = { message: 'a'.repeat(length), wait: quickPromptWait(api.session) };
        await mustRefuse(api, chat, tooLongMessage, ['more than 10000 characters', draft]);
      },
      (length) => `a message of ${length} characters`,
    );
    await givenAccepting(api, chat);
  }),

  check('message.missing', uses, async (api) => {
    const chat = await givenChat(api);
    for (const [index, body] of withoutMessage.entries()) {
      const what = body === '' ? 'an empty body' : `the body ${body}`;
      await mustRefuse(api, chat, missingMessage, [what, { body, ...everyOtherWaits(api, index) }]);
    }
    // Nor a content type: what reads bodies may then leave the request alone. A recording without a body proves nothing.
    const bare = await refusalOf(api, chat, ['no body', { body: null }]);
    mustBeKept(refusal(bare, 'no body'), '', bare);
    await givenAccepting(api, chat);
  }),

  check('message.not-a-string', uses, (api) =>
    mustRefuseAll(
      api,
      messageNotString,
      notStrings.map((message, index): Wrong => [
        `the message ${JSON.stringify(message)}`,
        { message, ...everyOtherWaits(api, index) },
      ]),
    ),
  ),

  check('message.malformed', uses, async (api) => {
    // Odd messages, such as NUL or an unpaired surrogate, may be accepted or refused.
    for (const { what, answer } of await givenOddMessages(api)) mustNotBe5xx(answer, `for ${what}`);
    const chat = await givenChat(api);
    for (const [what, body, contentType, key] of malformedBodies) {
      const keyed = key === undefined ? {} : { keyOf: () => key };
      const answer = await sendWhenFree(api, chat, { body, contentType, ...keyed });
      observeRefusal(api, [what, {}], answer);
      mustNotBe5xx(answer, `for ${what}`);
    }
  }),
];

/** Other code may read messages with `wait`, so every other one of several has it. */
function everyOtherWaits({ session }: Api, index: number): Pick<Draft, 'wait'> {
  return index % 2 === 0 ? { wait: quickPromptWait(session) } : {};
}

/** Blocked when an ordinary message is refused as well. */
async function mustBeAccepted(api: Api, chat: Chat, what: string, answer: Answer): Promise<void> {
  if (isSuccess(answer)) return;
  if (answer.status === 409) throw new Blocked(`the chat is busy: ${what} was answered 409`);
  const twin = await givenTwin(api, chat);
  must(false, `2xx for ${what}`, summary(answer), answer, twin);
}

/**
 * A line break of two is two characters, except to a deployment that counts graphemes. To that one, a letter with a combining accent
 * is one character, too.
 */
async function mustCountLineBreak(api: Api, chat: Chat): Promise<void> {
  const head = longText(api, 'a', maxCharacters - 1);
  const what = '10001 characters, the last a line break of two';
  const answer = await refusalOf(api, chat, [what, { message: `${head}\r\n` }]);
  if (!isSuccess(answer)) return;
  const graphemes = await refusalOf(api, chat, ['10000 graphemes of 10001 characters', { message: `${head}e\u0301` }]);
  const refusal = `a refusal of ${what}, as of one that ends with a combining accent`;
  must(isSuccess(graphemes), refusal, summary(answer), answer, graphemes);
  api.session.observe('messages.characters', 'graphemes', graphemes.exchange);
}
