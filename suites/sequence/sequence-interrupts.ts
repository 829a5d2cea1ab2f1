import { isSuccess, summary } from '../../core/exchange.ts';
import { inexplicableIn } from '../../stage/chats/chat-attempts.ts';
import { makeIdle } from '../../stage/chats/conversation.ts';
import { durationsOf } from '../../stage/chats/latest-message.ts';
import { followToEnd } from '../../stage/chats/pace.ts';
import { type Sent, send } from '../../stage/chats/sending.ts';
import { repetitionsShowEnds } from '../../stage/chats/shown-ends.ts';
import type { Command } from './sequence-commands.ts';
import { broken, kept, nothingShown, type Shown } from './sequence-promises.ts';
import type { World } from './sequence-world.ts';
import { chatAt, isAsked, sendTo } from './sequence-writes.ts';

/** A message whose response is generating while the next changes are made. */
export async function askInSequence(
  world: World,
  { chat: place }: Command & { do: 'ask' },
  sent: Sent[],
): Promise<Shown> {
  const { api } = world;
  const chat = chatAt(world, place);
  if (chat === undefined) return nothingShown;
  await makeIdle(api, chat);
  await sendTo(api, chat, { message: api.session.target.assistant.slowPrompt }, sent);
  return nothingShown;
}

/**
 * The chat of the slow message refuses another one while the response is generating. Repetitions of the slow one show whether it was.
 * Where a rate limit is in the way, or they show nothing, other checks judge that chats refuse messages at all.
 */
export async function interruptInSequence({ api }: World, sent: readonly Sent[]): Promise<Shown> {
  const { slowPrompt, quickPrompt } = api.session.target.assistant;
  const asked = sent.findLast(isAsked);
  if (asked?.answer.status !== 202) return nothingShown;
  const { chat } = asked;
  const next = await send(api, chat, { message: quickPrompt }, { patient: false });
  const asBefore = kept('conflict.refused');
  if (!isSuccess(next)) return asBefore;
  await followToEnd(api, [asked], { responseMs: durationsOf(api.session, slowPrompt).mostMs });
  if (inexplicableIn(api, chat) === undefined || !(await repetitionsShowEnds(api, chat))) return asBefore;
  const expected = '409 while a response is generating, whatever is deleted or attached meanwhile';
  return broken('conflict.refused', expected, summary(next), asked.answer, next);
}
