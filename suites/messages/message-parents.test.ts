import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Message = { id: string; parentId?: string };
type Body = { readonly data: { readonly userMessage: Message; readonly assistantMessage: Message } };

/**
 * Messages have numbers, those of one chat from 1 on. In the others, two messages were there before the run, and new ones get numbers
 * from `first` on.
 */
const numbered =
  (first: number): NonNullable<TrialOptions['through']> =>
  (behind) => {
    const chats = new Map<string, Map<string, string>>();
    return async (request) => {
      const answer = await behind(request);
      const [, chat] = /\/chats\/([^/]+)\/messages/.exec(request.path) ?? [];
      if (chat === undefined || answer.status > 202) return answer;
      const { size } = chats;
      const ids = chats.get(chat) ?? new Map<string, string>(size === 0 ? [] : [['before', '2']]);
      chats.set(chat, ids);
      const numberOf = (id: string): string => {
        const number =
          ids.get(id) ?? String((ids.has('before') ? first - 1 : 0) + ids.size + 1 - Number(ids.has('before')));
        ids.set(id, number);
        return number;
      };
      const body: Body = JSON.parse(Buffer.from(answer.body).toString());
      const { userMessage, assistantMessage } = body.data;
      const parent = userMessage.parentId;
      userMessage.parentId = parent !== undefined && ids.has(parent) ? numberOf(parent) : (ids.get('before') ?? '');
      assistantMessage.parentId = numberOf(userMessage.id);
      userMessage.id = numberOf(userMessage.id);
      assistantMessage.id = numberOf(assistantMessage.id);
      return { ...answer, body: Buffer.from(JSON.stringify(body)) };
    };
  };

test.each([
  ['of each chat', 3, 'blocked: messages of several chats have the same ID'],
  [
    'of all chats',
    1000,
    expect.stringMatching(/^warned: expected data.userMessage.parentId, a message of the same chat,/),
  ],
])('a parent that only another chat showed, where messages have numbers %s', async (_whose, first, said) => {
  expect(await saidBy('messages.parent-in-chat/two-chats', { through: numbered(first) })).toEqual([said]);
});

/** Assistant messages have other IDs than those by which they are named as parents. */
const shownAs =
  (change: (id: string) => string): NonNullable<TrialOptions['through']> =>
  (behind) =>
  async (request) => {
    const answer = await behind(request);
    if (!request.path.includes('/messages') || answer.status > 202) return answer;
    const body: Body = JSON.parse(Buffer.from(answer.body).toString());
    const { assistantMessage } = body.data;
    assistantMessage.id = change(assistantMessage.id);
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  };

test.each([
  [
    'in capitals',
    (id: string) => id.toUpperCase(),
    [expect.stringMatching(/^warned: expected data.userMessage.parentId/)],
  ],
  [
    'by a counter in base 62, which reached the same letter in the other case before',
    (id: string) => id.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase()),
    [],
  ],
  ['by their hash', (id: string) => `${id.length}${[...id].toReversed().join('')}`, []],
] as const)('a parent of which the ID is shown %s', async (_how, change, said) => {
  expect(await saidBy('messages.parent-in-chat', { through: shownAs(change) })).toEqual(said);
});

/** The first message of a chat has the ID of the chat, and all others name it as their parent. */
const inThreads: NonNullable<TrialOptions['through']> = (behind) => async (request) => {
  const answer = await behind(request);
  if (!request.path.includes('/messages') || answer.status > 202) return answer;
  const { data }: { data: Body['data'] & { chat: { id: string } } } = JSON.parse(Buffer.from(answer.body).toString());
  data.userMessage.parentId = data.chat.id;
  data.assistantMessage.parentId = data.chat.id;
  return { ...answer, body: Buffer.from(JSON.stringify({ data })) };
};

test('a parent may have the ID of its chat, if it is the message that began the chat', async () => {
  expect(await saidBy('messages.parent-in-chat', { through: inThreads })).toEqual([]);
});

/** IDs are made from counters: the first message in each chat has the same number as the chat. */
const countedAlike: NonNullable<TrialOptions['through']> = (behind) => {
  const firstIn = new Map<string, string>();
  return async (request) => {
    const answer = await behind(request);
    if (!request.path.includes('/messages') || answer.status > 202) return answer;
    const { data }: { data: Body['data'] & { chat: { id: string } } } = JSON.parse(Buffer.from(answer.body).toString());
    const { chat, userMessage, assistantMessage } = data;
    if (!firstIn.has(chat.id)) firstIn.set(chat.id, userMessage.id);
    if (firstIn.get(chat.id) === userMessage.id) userMessage.id = assistantMessage.parentId = chat.id;
    return { ...answer, body: Buffer.from(JSON.stringify({ data })) };
  };
};

test('a parent may have the ID of its chat, if chats and messages are counted alike', async () => {
  expect(await saidBy('messages.parent-in-chat', { through: countedAlike })).toEqual([]);
});
