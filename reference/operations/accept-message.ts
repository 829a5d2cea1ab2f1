import { record } from '../state/apply-entry.ts';
import type { Request, Refusal } from '../http/request.ts';
import type { Chat } from '../state/state.ts';
import type { World } from '../world.ts';

type Acceptance = {
  /** When the response to it begins, now unless told. */
  readonly beginsAt?: number;
  /** The scope of its key, where it has one. */
  readonly scope?: string | undefined;
};

/** Stores a message and its key, in one step, and lets the response to it begin. */
export function accept(
  world: World,
  request: Request,
  chat: Chat,
  text: string,
  { beginsAt, scope }: Acceptance = {},
): void {
  const { rules } = world;
  const previous = chat.exchanges.at(-1);
  const at = world.clock.now();
  const message = {
    chatId: chat.id,
    organizationId: chat.organizationId,
    userId: rules.messageId(world.freshId('msg'), 'user', previous, request),
    assistantId: rules.messageId(world.freshId('msg'), 'assistant', previous, request),
    parentId: rules.parentOfUser(previous, request),
    text,
    acceptedAt: at,
    finishesAt: (beginsAt ?? at) + rules.assistantMs(text, request),
  };
  record(world, { kind: 'message', at, message, scope });
}

/** Refuses a message, and leaves the trace of it that the rules want: none. */
export function leave(world: World, request: Request, chat: Chat, why: Refusal, text: string): Refusal {
  switch (world.rules.refusedBecomes(why.kind, request)) {
    case 'nothing':
      break;
    case 'answered-now':
      accept(world, request, chat, text);
      break;
    case 'answered-later':
      accept(world, request, chat, text, { beginsAt: Math.max(...chat.exchanges.map(({ finishesAt }) => finishesAt)) });
      break;
    case 'stored':
      accept(world, request, chat, text, { beginsAt: Number.NEGATIVE_INFINITY });
      break;
  }
  return why;
}

/** Whether a response is generating that keeps this chat from taking a message. */
export function busy(world: World, request: Request, chat: Chat): boolean {
  const { rules, state, clock } = world;
  return rules
    .conflictsWith(chat, () => [...state.chats.values()], request)
    .some(({ exchanges }) => exchanges.some((exchange) => rules.busy(exchange, clock.now(), request)));
}
