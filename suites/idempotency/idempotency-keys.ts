import fc from 'fast-check';
import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import {
  givenChat,
  givenFinished,
  givenPair,
  lendChat,
  makeIdle,
  pairOf,
  readSent,
} from '../../stage/chats/conversation.ts';
import { quiet, send, sendAgain, sendWhenFree, type Sent, unkeyed } from '../../stage/chats/sending.ts';
import { shared } from '../../engine/fixture.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { givenLast } from '../../stage/chats/thread.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { forAll } from '../../engine/properties.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { at } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import type { Principal } from '../../core/target.ts';
import { keyTooLong } from '../../promises/message-requests.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenTwin, refusalOf } from '../messages/refused-message.ts';
import { mustBeAnother, mustBeSame } from '../messages/same-messages.ts';
import { acceptedUnusual, type Unusual } from '../messages/unusual-messages.ts';
import { mustKnowFalsyKey } from './falsy-key.ts';
import { drawnKey, longestKey, plainKey, shapedKey, shortKey } from './key-variants.ts';

const uses = { uses: ['messages'] } as const;

/** Sections 4.2 and 8: which keys are valid, and who may use them. */
export const idempotencyKeys: readonly Check[] = [
  check('idempotency.key-maximum', uses, async (api) => {
    if ((await unlessBlocked(() => givenLongestKey(api))) === undefined) await mustTakeSomeKey(api);
    await givenKeyHeader(api);
    await mustHaveWorked(api, await givenLongestKey(api));
    const unusual = api.replayPath === undefined ? await acceptedUnusual(api, 'a key') : undefined;
    if (unusual !== undefined) {
      for (const keyed of unusual) await mustHaveWorked(api, keyed);
      return;
    }
    const chat = await givenChat(api);
    await mustHaveWorked(api, await sendKeyed(api, chat, shortKey));
    await forAll(
      api,
      drawnKey,
      { runs: 1, requests: 60 },
      async (drawn) => mustHaveWorked(api, await sendKeyed(api, chat, (fresh) => plainKey(fresh, drawn))),
      (drawn) => `a key of ${drawn.length} characters: ${plainKey('…', drawn)}`,
    );
  }),

  check('idempotency.key-too-long', uses, async (api) => {
    await givenKeyHeader(api);
    const { answer: longest } = await givenLongestKey(api);
    if (!isSuccess(longest)) throw new Blocked(`a key of 255 characters is refused as well: ${summary(longest)}`);
    const chat = await givenChat(api);
    await forAll(
      api,
      fc.integer({ min: 256, max: 1000 }),
      { runs: 1, requests: 40 },
      async (length) => {
        const what = length === 256 ? 'a key of 256 characters' : 'a key of more than 256 characters';
        await mustRefuseKey(api, chat, what, length);
      },
      (length) => `a key of ${length} characters`,
    );
    await mustRefuseKey(api, chat, 'a key of 256 characters', 256);
  }),

  check('idempotency.after', { ...uses, variant: 'falsy-key', extended: true }, mustKnowFalsyKey),

  check('idempotency.after', { ...uses, variant: 'refused-before', extended: true }, async (api) => {
    await givenKeyHeader(api);
    const unusual = await acceptedUnusual(api, 'a refused key');
    if (unusual === undefined)
      throw new Blocked(
        'refused requests had used the key before, and the message that used it afterwards was refused too',
      );
    for (const { chat, key, text, answer, again } of unusual) {
      const sent = readSent(chat, key, text, answer);
      mustBeSame(sent, again ?? (await sendAgain(api, sent)), 'which came with refused requests before');
    }
  }),

  check('idempotency.other-chat', uses, async (api) => {
    await givenKeyHeader(api);
    const isPair = pairOf(api);
    const [chat, other] = await givenPair(api, (one, two) => one.admin === two.admin && isPair(one, two));
    const last = await givenLast(api, chat);
    // A key counts for each caller, so the one who uses it in the other chat must be the one who used it here.
    const isOfAdmin = (last.caller?.name ?? chat.admin.name) === chat.admin.name;
    const sent = isOfAdmin ? last : await givenFinished(api, chat);
    const elsewhere = await sendKeyTo(api, other, sent);
    mustBeAnother(sent, elsewhere, 'for the same key in another chat');
    mustBeSame(sent, await sendAgain(api, sent), 'after its use in another chat');
  }),

  check('idempotency.other-caller', uses, otherCaller),
];

async function mustRefuseKey(api: Api, chat: Chat, what: string, length: number): Promise<void> {
  const keyOf = (fresh: string): string => fresh.padEnd(length, 'k');
  const answer = await refusalOf(api, chat, [what, { message: api.session.target.assistant.quickPrompt, keyOf }]);
  mustKeep(keyTooLong, { answer, key: 'k'.repeat(length) }, answer);
}

type Keyed = Pick<Unusual, 'chat' | 'key' | 'text' | 'answer'> & Partial<Pick<Unusual, 'again'>>;

/** A message with a key of the maximum length, sent once in a run: the valid counterpart of those with a longer one. */
const givenLongestKey = shared(async (api: Api): Promise<Keyed> => {
  const [unusual] = (await acceptedUnusual(api, 'the longest key')) ?? [];
  return unusual ?? lendChat(api, (chat) => sendKeyed(api, chat, (fresh) => shapedKey(fresh, longestKey)));
});

async function sendKeyed(api: Api, chat: Chat, keyOf: (fresh: string) => string): Promise<Keyed> {
  const text = api.session.target.assistant.quickPrompt;
  let key = '';
  const remember = (fresh: string): string => (key = keyOf(fresh));
  const answer = await sendWhenFree(api, chat, { message: text, wait: quickPromptWait(api.session), keyOf: remember });
  return { chat, key, text, answer };
}

/** The key must have been accepted, and be recognized when it is repeated. */
async function mustHaveWorked(api: Api, { chat, key, text, answer, again }: Keyed): Promise<void> {
  const { length } = key;
  if (answer.status === 409) throw new Blocked(`the chat is busy: a key of ${length} characters was answered 409`);
  if (!isSuccess(answer)) {
    // A deployment that accepts keys of one form only refuses the twin too. Then the same message without a key is the twin.
    const keyed = await unlessBlocked(() => givenTwin(api, chat));
    const twin = keyed ?? (await givenTwin(api, chat, unkeyed));
    must(false, `2xx with a key of ${length} characters`, summary(answer), answer, twin);
  }
  const sent = readSent(chat, key, text, answer);
  const repeated = again ?? (await sendAgain(api, sent));
  // A single internal error is no answer about the key.
  mustBeSame(sent, repeated.status === 500 ? await sendAgain(api, sent) : repeated, `of ${length} characters`);
}

/**
 * Where no chat accepts a message, the keys may be the reason: a deployment that wants keys of one form refuses all that are sent
 * to it.
 */
async function mustTakeSomeKey(api: Api): Promise<void> {
  const [chat] = api.session.chats.all;
  if (chat === undefined) return;
  const draft = { message: api.session.target.assistant.quickPrompt, wait: quickPromptWait(api.session) };
  const keyed = await sendWhenFree(api, chat, draft);
  if (keyed.status !== 400 && keyed.status !== 422) return;
  const keyless = await sendWhenFree(api, chat, { ...draft, ...unkeyed });
  must(!isSuccess(keyless), '2xx with an idempotency key, as without one', summary(keyed), keyed, keyless);
}

/** The same request, or another message with the same key, to another, idle chat: a 409 is therefore about the key. */
async function sendKeyTo(api: Api, chat: Chat, { text, key }: Sent, message = text): Promise<Answer> {
  await makeIdle(api, chat);
  await quiet(api, chat);
  return send(api, chat, { message, keyOf: () => key });
}

/** Principals who are tried, because some may use the chat, and how many are enough who may not. */
const [mostStrangers, enoughStrangers] = [4, 2];

const needsStranger = 'needs a principal that is not adminOf the organization of a declared chat';

/** A key must not give a principal the messages of a chat that it cannot use, neither through that chat nor through its own. */
async function otherCaller(api: Api): Promise<void> {
  await givenKeyHeader(api);
  const { target, chats } = api.session;
  const isStranger = (principal: Principal, chat: Chat) => !principal.adminOf.includes(chat.organizationId);
  const areForeign = (chat: Chat, own: Chat) => isStranger(own.admin, chat);
  const hasPair = chats.all.some((chat) => chats.all.some((own) => areForeign(chat, own)));
  const [chat, own] = hasPair
    ? await givenPair(api, areForeign)
    : [await givenChat(api, (one) => target.principals.some((other) => isStranger(other, one))), undefined];
  const sent = await givenLast(api, chat);
  let judged = 0;
  const strangers = target.principals.filter((principal) => isStranger(principal, chat) && principal !== own?.admin);
  for (const stranger of [...(own === undefined ? [] : [own.admin]), ...strangers].slice(0, mostStrangers)) {
    if (judged === enoughStrangers) break;
    const caller = as(stranger);
    const fresh = await send(api, chat, { message: sent.text }, { caller });
    const isDenied = !mayUse(fresh); // Who may use the chat may know its messages.
    if (isDenied || own?.admin === stranger) judged += 1;
    if (isDenied) {
      const again = await send(api, chat, { message: sent.text, keyOf: () => sent.key }, { caller });
      mustBeAnother(sent, again, `for ${stranger.name}, who cannot use the chat, with the same key`);
    }
    if (own?.admin === stranger) await mustBeOwn(api, own, sent);
  }
  if (judged === 0) throw new Blocked(`${needsStranger}; each one that was tried may use the chat`);
}

/** The key of a message, sent by the admin of another chat to that chat, must give a message of that chat. */
async function mustBeOwn(api: Api, own: Chat, sent: Sent): Promise<void> {
  const message = `${sent.text} Elsewhere.`;
  const other = await sendKeyTo(api, own, sent, message);
  // A refusal may be about the other text.
  const elsewhere = isSuccess(other) ? other : await sendKeyTo(api, own, sent);
  const when = `for ${own.admin.name} with the same key in a chat of its own`;
  mustBeAnother(sent, elsewhere, when);
  const text = at(other.json, 'data', 'userMessage', 'text');
  must(text !== sent.text, `the text ${describe(message)} ${when}`, describe(text), sent.answer, other);
}

/** Whether the caller may use the chat, as far as the answer says: a quota or an outage may have refused the message. */
function mayUse(answer: Answer): boolean {
  return isSuccess(answer) || [402, 409, 429].includes(answer.status) || answer.status >= 500;
}
