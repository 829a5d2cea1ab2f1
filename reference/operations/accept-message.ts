import type { Ask, Refusal } from '../ask.ts';
import type { Chat, Exchange } from '../state.ts';
import type { World } from '../world.ts';

/** Stores a message and lets the response to it begin then. */
export function accept(world: World, ask: Ask, chat: Chat, text: string, beginsAt = world.clock.now()): Exchange {
  const { rules } = world;
  const previous = chat.exchanges.at(-1);
  const exchange: Exchange = {
    chatId: chat.id,
    organizationId: chat.organizationId,
    caller: ask.caller,
    userId: rules.messageId(world.freshId('msg'), 'user', previous, ask),
    assistantId: rules.messageId(world.freshId('msg'), 'assistant', previous, ask),
    parentId: rules.parentOfUser(previous, ask),
    text,
    acceptedAt: world.clock.now(),
    finishesAt: beginsAt + rules.assistantMs(text, ask),
    first: undefined,
  };
  chat.exchanges.push(exchange);
  return exchange;
}

/** Refuses a message, and leaves the trace of it that the rules want: none. */
export function leave(world: World, ask: Ask, chat: Chat, why: Refusal, text: string): Refusal {
  switch (world.rules.refusedBecomes(why.kind, ask)) {
    case 'nothing':
      break;
    case 'answered-now':
      accept(world, ask, chat, text);
      break;
    case 'answered-later':
      accept(world, ask, chat, text, Math.max(...chat.exchanges.map(({ finishesAt }) => finishesAt)));
      break;
    case 'stored':
      accept(world, ask, chat, text, Number.NEGATIVE_INFINITY);
      break;
  }
  return why;
}

/** Whether a response is generating that keeps this chat from taking a message. */
export function busy(world: World, ask: Ask, chat: Chat): boolean {
  const { rules, state, clock } = world;
  return rules
    .conflictsWith(chat, () => [...state.chats.values()], ask)
    .some(({ exchanges }) => exchanges.some((exchange) => rules.busy(exchange, clock.now(), ask)));
}
