import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenFinished, givenPair } from '../../stage/chats/conversation.ts';
import type { Answer } from '../../core/exchange.ts';
import { at, stringAt } from '../../core/json.ts';
import {
  areIdsShared,
  chatsOf,
  childrenOf,
  messageRoles,
  type MessageRole,
} from '../../engine/session/seen-messages.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import { describe } from '../../core/text.ts';
import { mustBeyondDoubt, mustNotAppearOnlyWith, pairs } from '../shared/only-with-cause.ts';
import { Blocked } from '../../engine/verdict.ts';

const uses = ['messages'] as const;

/** Section 2.4: what parentId may name, if it is present. */
export const messageParents: readonly Check[] = [
  check('messages.parent-in-chat', { uses }, async (api) => {
    await observeParents(api);
    const accepted = await givenAccepted(api);
    const chats = idsOfChats(accepted);
    let judged = 0;
    for (const answer of accepted) {
      const [user, assistant] = [idOf(answer, 'userMessage'), idOf(answer, 'assistantMessage')];
      if (user === assistant) throw new Blocked('two messages have one ID: messages.distinct-ids judges that');
      judged += mustNotFollow(answer, 'userMessage', [user, assistant], 'a message sent before it');
      judged += mustNotFollow(answer, 'assistantMessage', [assistant, ...chats], 'another message');
    }
    mustBeWrittenAlike(accepted);
    mustHaveJudged(judged);
  }),

  check('messages.parent-in-chat', { uses, phase: 'later', variant: 'two-chats', extended: true }, async (api) => {
    await givenAccepted(api);
    const isShown = new Set(childrenOf(api.session).map(({ chatId }) => chatId)).size > 1;
    if (!isShown) await sendInTurn(api);
    const children = childrenOf(api.session);
    for (const { chatId, role, parent, answer } of children) {
      const isForeign = isOfAnotherChat(api, chatId, parent);
      // The parent may be a message of this chat whose answer nobody got.
      if (isForeign && areIdsShared(api.session)) throw new Blocked('messages of several chats have the same ID');
      const expected = ofSameChat(role);
      mustBeyondDoubt(!isForeign, expected, describe(parent), [answer], () => mustNotFollowAnotherChat(api, role));
    }
    mustHaveJudged(children.length);
  }),
];

const ofSameChat = (role: MessageRole): string => `data.${role}.parentId, a message of the same chat,`;

function isOfAnotherChat({ session }: Api, chatId: string, parent: string): boolean {
  const chats = chatsOf(session, parent);
  return chats.size > 0 && !chats.has(chatId);
}

/**
 * An ID may be unique in its chat only, and a message of another client may have it. So messages are sent with and without one to
 * another chat in between.
 */
async function mustNotFollowAnotherChat(api: Api, role: MessageRole): Promise<void> {
  const [chat, other] = await givenPair(api, () => true);
  await mustNotAppearOnlyWith(
    api,
    async (isBetween) => {
      await givenFinished(api, chat);
      if (isBetween) await givenFinished(api, other);
      const { answer } = await givenFinished(api, chat);
      const parent = stringAt(answer.json, 'data', role, 'parentId') ?? '';
      return { appeared: isOfAnotherChat(api, chat.chatId, parent), shown: [answer] };
    },
    ofSameChat(role),
    `one of another chat after each of ${pairs} messages to that chat, and never without one`,
  );
}

/** Messages to two chats in turn. */
async function sendInTurn(api: Api): Promise<void> {
  const [one, other] = await givenPair(api, () => true);
  for (const chat of [one, other, one]) await givenFinished(api, chat);
}

/** The parentId must be none of these IDs. Returns 1 if there is a parentId, otherwise 0. */
function mustNotFollow(
  answer: Answer,
  role: MessageRole,
  ids: readonly (string | undefined)[],
  expected: string,
): number {
  const parent = stringAt(answer.json, 'data', role, 'parentId');
  if (parent === undefined || parent === '') return 0;
  must(!ids.includes(parent), `data.${role}.parentId, ${expected},`, describe(parent), answer);
  return 1;
}

/** IDs of two messages may differ in the case of fewer letters alone, such as those of a counter in base 62. */
const leastLetters = 4;

/** A parent whose ID differs from that of a message of the chat in the case of several letters alone is surely that message. */
function mustBeWrittenAlike(accepted: readonly Answer[]): void {
  const ids = accepted.flatMap((answer) => messageRoles.flatMap((role) => idOf(answer, role) ?? []));
  for (const answer of accepted) {
    for (const role of messageRoles) {
      const parent = stringAt(answer.json, 'data', role, 'parentId') ?? '';
      if (ids.includes(parent)) continue;
      const alike = ids.find((id) => lettersInOtherCase(id, parent) >= leastLetters);
      must(alike === undefined, `data.${role}.parentId ${describe(alike)}`, describe(parent), ...accepted);
    }
  }
}

/** In how many letters two IDs differ; 0 if they differ in more than the case. */
function lettersInOtherCase(one: string, other: string): number {
  if (one.toLowerCase() !== other.toLowerCase()) return 0;
  return one.split('').filter((letter, place) => letter !== other[place]).length;
}

/** Records which messages the parentId of each message names. */
async function observeParents(api: Api): Promise<void> {
  const named = new Map<string, string>();
  for (const [index, answer] of (await givenAccepted(api)).entries()) {
    const id = (record: string) => stringAt(answer.json, 'data', record, 'id') ?? '';
    for (const record of messageRoles) {
      const parent = at(answer.json, 'data', record, 'parentId');
      const isFirst = index === 0 && record === 'userMessage' && typeof parent === 'string';
      const names = typeof parent === 'string' ? (named.get(parent) ?? 'another message') : describe(parent);
      if (!isFirst) api.session.observe('messages.parent', `${record}: ${names}`, answer.exchange);
      named.set(id(record), `its own ${record}`);
    }
    for (const record of messageRoles) named.set(id(record), `the ${record} before`);
  }
}

/**
 * The IDs of chats that are surely not those of messages. The message that begins a chat may have the ID of the chat, and so may any
 * message where IDs are made from counters.
 */
function idsOfChats(accepted: readonly Answer[]): readonly string[] {
  const ofMessages = accepted.flatMap((answer) => [
    ...messageRoles.map((role) => idOf(answer, role)),
    stringAt(answer.json, 'data', 'userMessage', 'parentId'),
  ]);
  const ids = accepted.flatMap((answer) => stringAt(answer.json, 'data', 'chat', 'id') ?? []);
  return ids.filter((id) => !/^\d*$/.test(id) && !ofMessages.includes(id));
}

function idOf(answer: Answer, role: MessageRole): string | undefined {
  return stringAt(answer.json, 'data', role, 'id');
}

function mustHaveJudged(count: number): void {
  if (count === 0) throw new Blocked('no message has a parentId, which is optional');
}
