import { expect, test } from 'vitest';
import type { HttpRequest } from '../../core/http.ts';
import type { Sent } from '../../stage/chats/sending.ts';
import { type Altered, inTurn, openWorld, unaltered } from '../../testing/sequence-world.ts';
import { askInSequence, interruptInSequence } from './sequence-interrupts.ts';
import { sendTo } from './sequence-writes.ts';

const isMessage = ({ path }: HttpRequest): boolean => path.includes('/messages');
const ask = { do: 'ask', chat: 0 } as const;

/** The messages are accepted by a chat that nothing else uses, and repetitions show the true state. */
const elsewhere =
  (chatId: string): Altered =>
  (request, behind) =>
    behind({ ...request, path: request.path.replace(/\/chats\/[^/]+/, `/chats/${chatId}`) });

async function interrupted(altered: (other: string) => Altered, choices: Readonly<Record<string, string>> = {}) {
  const { world, alter } = await openWorld(undefined, undefined, choices);
  const [, other] = world.chats;
  if (other === undefined) throw new Error('the world has one chat');
  const sent: Sent[] = [];
  // The run learns how long a slow response takes.
  const { api, chats } = world;
  const { slowPrompt } = api.session.target.assistant;
  if (chats[0] !== undefined) await sendTo(api, chats[0], { message: slowPrompt, wait: 60 }, sent);
  await askInSequence(world, ask, sent);
  await api.session.clock.sleep(100);
  alter(altered(other.chatId));
  const { kept, broken } = await interruptInSequence(world, sent);
  return broken === undefined ? kept : `${broken.promise}: ${broken.actual}`;
}

test.each([
  ['is refused', () => unaltered, {}, ['conflict.refused']],
  [
    'is accepted while repetitions show the response',
    (other) => inTurn(isMessage, [elsewhere(other)]),
    {},
    'conflict.refused: 202',
  ],
  [
    'is accepted, and repetitions show what was true first',
    (other) => inTurn(isMessage, [elsewhere(other)]),
    { 'replay-form': 'original' },
    ['conflict.refused'],
  ],
  [
    'is refused otherwise',
    () => inTurn(isMessage, [async (request, behind) => ({ ...(await behind(request)), status: 422 })]),
    {},
    ['conflict.refused'],
  ],
] satisfies readonly (readonly [
  string,
  (other: string) => Altered,
  Readonly<Record<string, string>>,
  string | readonly string[],
])[])('another message to a chat that is generating %s', async (_what, altered, choices, said) => {
  expect(await interrupted(altered, choices)).toEqual(said);
});

test('a response that ended before shows nothing', async () => {
  expect(await interrupted(() => unaltered, { assistant: 'at-once' })).toEqual([]);
});
