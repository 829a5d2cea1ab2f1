import { TransportError } from '../../core/http.ts';
import { record } from '../state/apply-entry.ts';
import { type Ask, type Outcome, type Refusal, refusal } from '../http/ask.ts';
import type { Chat, Exchange } from '../state/state.ts';
import { hold, type World } from '../world.ts';
import { accept, busy, leave } from './accept-message.ts';
import { type MessageRequest, readMessageRequest } from './message-request.ts';
import type { OperationModel } from './operation.ts';
import { deniedInOrganization, missingOrganization } from './organization-access.ts';
import { shownExchange } from './shown-exchange.ts';

function findChat(world: World, ask: Ask): Chat | undefined {
  const { organizationId, chatId } = ask.ids;
  const all = (): readonly string[] => world.state.organizations.get(organizationId)?.data.chats ?? [];
  return world.state.chats.get(world.rules.chatNamed(chatId, all, ask));
}

function missing(world: World, ask: Ask): Refusal | undefined {
  const absent = missingOrganization(world, ask);
  if (absent !== undefined) return absent;
  const chat = findChat(world, ask);
  if (chat === undefined || !world.rules.belongsToPath(chat.organizationId, ask.ids.organizationId, ask)) {
    return refusal('unknownChat', ask.ids.chatId);
  }
  return undefined;
}

/** Between two looks whether a chat is idle, in milliseconds. */
const lookMs = 50;

/** The patience of the client bounds it. */
async function untilIdle(world: World, ask: Ask, chat: Chat): Promise<void> {
  while (busy(world, ask, chat)) await hold(world, ask, lookMs);
}

/** Holds the request as `wait` asks, and shows what there is then. */
async function answer(
  world: World,
  ask: Ask,
  chat: Chat,
  exchange: Exchange,
  wait: number | undefined,
): Promise<Outcome> {
  const { rules, clock } = world;
  const begunAt = clock.now();
  let planned: number;
  do {
    planned = exchange.finishesAt;
    const remainingMs = Math.max(0, planned - begunAt);
    const ms =
      wait === undefined ? rules.noWaitMs(remainingMs, ask) : rules.heldMs(rules.waitMs(wait, ask), remainingMs, ask);
    const until = begunAt + ms;
    while (clock.now() < until && exchange.finishesAt === planned) {
      await hold(world, ask, Math.min(until - clock.now(), rules.lookAgainMs(ask)));
    }
    // What now takes longer is waited for as long as was asked; what is over is over.
  } while (exchange.finishesAt > planned);
  const outcome = shownExchange(world, ask, chat, exchange);
  exchange.first ??= outcome;
  return outcome;
}

async function replay(
  world: World,
  ask: Ask,
  chat: Chat,
  exchange: Exchange,
  request: MessageRequest,
): Promise<Outcome> {
  const { rules } = world;
  if (chat.id !== exchange.chatId && rules.replayInOtherChat(ask) === 'refuse') return refusal('keyReused');
  if (request.text !== exchange.text && rules.replayOfOtherText(ask) === 'refuse') return refusal('keyReused');
  if (rules.replayStartsAgain(exchange, ask)) accept(world, ask, chat, request.text);
  if (rules.replayForm(ask) === 'original' && exchange.first !== undefined) return exchange.first;
  const home = world.state.chats.get(exchange.chatId) ?? chat;
  return answer(world, ask, home, exchange, request.wait);
}

async function act(world: World, ask: Ask): Promise<Outcome> {
  const { rules, state, clock } = world;
  const chat = findChat(world, ask);
  if (chat === undefined) return refusal('unknownChat', ask.ids.chatId);
  const request = readMessageRequest(world, ask);
  if (!request.ok) return leave(world, ask, chat, request, '');

  const { key } = request;
  const scope = key === undefined ? undefined : rules.keyScope(ask.caller?.name ?? '', chat.id, key, ask);
  const known = scope === undefined ? undefined : state.exchangesByKey.get(scope);
  if (known !== undefined) {
    const later = chat.exchanges.length - 1 - chat.exchanges.indexOf(known);
    const finished = rules.finished(known.finishesAt, clock.now(), ask);
    if (rules.keyRemembered(known, finished, later, ask)) return replay(world, ask, chat, known, request);
  }

  if (scope !== undefined && state.keysUsedUp.has(scope)) return refusal('conflict', chat.id);
  const isBusy = busy(world, ask, chat);
  const conflictPauseMs = rules.conflictPauseMs(ask);
  if (conflictPauseMs > 0) await hold(world, ask, conflictPauseMs);
  const running = isBusy ? chat.exchanges.filter(({ finishesAt }) => clock.now() < finishesAt) : [];
  for (const disturbed of running) disturbed.finishesAt = rules.finishesWhenDisturbed(disturbed, clock.now(), ask);
  if (isBusy && rules.whenBusy(ask) === 'refuse') {
    if (scope !== undefined && rules.conflictUsesKey(ask)) {
      record(world, { kind: 'key-used-up', at: clock.now(), scope });
    }
    return leave(world, ask, chat, refusal('conflict', chat.id), request.text);
  }

  if (isBusy && rules.whenBusy(ask) === 'queue') await untilIdle(world, ask, chat);
  accept(world, ask, chat, request.text, { scope });
  const exchange = chat.exchanges.at(-1);
  if (exchange === undefined) throw new Error(`chat ${chat.id} keeps no message`);
  try {
    return await answer(world, ask, chat, exchange, request.wait);
  } catch (error) {
    if (error instanceof TransportError) leftAlone(world, ask, chat, exchange, scope);
    throw error;
  }
}

/** The client of a message that was just accepted is gone. */
function leftAlone({ rules, state, clock }: World, ask: Ask, chat: Chat, exchange: Exchange, scope?: string): void {
  switch (rules.whenClientLeaves(exchange, ask)) {
    case 'goes-on':
      return;
    case 'response-ends':
      exchange.finishesAt = Math.min(exchange.finishesAt, clock.now());
      return;
    case 'withdrawn':
      chat.exchanges.splice(chat.exchanges.indexOf(exchange), 1);
      if (scope !== undefined) state.exchangesByKey.delete(scope);
  }
}

/** Section 4.2. */
export const sendMessage: OperationModel = {
  denied: (world, ask) => deniedInOrganization(world, ask, world.rules.maySendMessage),
  missing,
  act,
};
