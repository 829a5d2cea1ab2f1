import { type Refusal, refusal, type Request } from '../http/request.ts';
import { record } from '../state/apply-entry.ts';
import type { Chat } from '../state/state.ts';
import type { World } from '../world.ts';

type Acceptance = {
  /** When its response begins: by default now. */
  readonly beginsAt?: number;
  /** The scope of its key, where it has one. */
  readonly scope?: string | undefined;
};

/** Stores a message and its key, in one step, and lets its response begin. */
export function accept(
  world: World,
  request: Request,
  chat: Chat,
  text: string,
  { beginsAt, scope }: Acceptance = {},
): void {
  const { rules, hooks } = world;
  const previous = chat.exchanges.at(-1);
  const at = world.clock.now();
  const message = {
    chatId: chat.id,
    organizationId: chat.organizationId,
    userId: hooks.messageId(world.freshId('msg'), request, 'user', previous),
    assistantId: hooks.messageId(world.freshId('msg'), request, 'assistant', previous),
    parentId: rules.parentOfUser(previous, request),
    text,
    acceptedAt: at,
    finishesAt: (beginsAt ?? at) + rules.assistantMs(text, request),
  };
  hooks.onAccepted(message, request);
  record(world, { kind: 'message', at, message, scope });
}

/** Refuses a message, which leaves no trace unless a hook decides otherwise. */
export function refuseMessage(world: World, request: Request, chat: Chat, why: Refusal, text: string): Refusal {
  switch (world.hooks.refusedMessage('nothing', request, why.kind)) {
    case 'nothing':
      break;
    case 'answered-now':
      accept(world, request, chat, text);
      break;
    case 'answered-later':
      accept(world, request, chat, text, { beginsAt: Math.max(...chat.exchanges.map(({ finishesAt }) => finishesAt)) });
      break;
    case 'answered-in-turn':
      void acceptInTurn(world, request, chat, text);
      break;
    case 'stored':
      accept(world, request, chat, text, { beginsAt: Number.NEGATIVE_INFINITY });
      break;
  }
  return why;
}

/** How often a worker looks whether the chat of a message in its queue is idle, in milliseconds, and how often at most. */
const looks = { everyMs: 100, most: 3000 } as const;

async function acceptInTurn(world: World, request: Request, chat: Chat, text: string): Promise<void> {
  for (let look = 0; look < looks.most; look += 1) {
    await world.clock.sleep(looks.everyMs);
    if (!isBusy(world, request, chat)) return accept(world, request, chat, text);
  }
}

/** Whether a response is generating that keeps this chat from accepting a message. */
export function isBusy(world: World, request: Request, chat: Chat): boolean {
  const { rules, hooks, state, clock } = world;
  return hooks
    .rivals([chat], request, () => [...state.chats.values()])
    .some(({ exchanges }) => exchanges.some((exchange) => rules.busy(exchange, clock.now(), request)));
}

/** Refuses a message to a busy chat with 409. */
export function refuseBusy(world: World, request: Request, chat: Chat, text: string, scope?: string): Refusal {
  if (scope !== undefined && world.rules.conflictUsesKey(request)) {
    record(world, { kind: 'key-used-up', at: world.clock.now(), scope });
  }
  return refuseMessage(world, request, chat, refusal('conflict', chat.id), text);
}
