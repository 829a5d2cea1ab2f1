import { TransportError } from '../../core/http.ts';
import { type Request, type Outcome, type Refusal, refusal } from '../http/request.ts';
import type { Chat, Exchange } from '../state/state.ts';
import { hold, type World } from '../world.ts';
import { accept, isBusy, refuseBusy, refuseMessage } from './accept-message.ts';
import { type MessageRequest, readMessageRequest } from './message-request.ts';
import { deniedInOrganization, missingOrganization, type OperationModel } from './operation.ts';
import { shownExchange } from './shown-exchange.ts';

function findChat(world: World, request: Request): Chat | undefined {
  const { organizationId, chatId } = request.ids;
  const all = (): readonly string[] => world.state.organizations.get(organizationId)?.data.chats ?? [];
  return world.state.chats.get(world.hooks.chatId(chatId, request, all));
}

function missing(world: World, request: Request): Refusal | undefined {
  const absent = missingOrganization(world, request);
  if (absent !== undefined) return absent;
  const chat = findChat(world, request);
  if (chat === undefined || !world.rules.belongsToPath(chat.organizationId, request.ids.organizationId, request)) {
    return refusal('unknownChat', request.ids.chatId);
  }
  return undefined;
}

/** How often a queued message looks whether its chat is idle, in milliseconds. The client's patience bounds the wait. */
const lookMs = 50;

/** Holds the request as `wait` asks, and shows the exchange as it is then. */
async function answer(
  world: World,
  request: Request,
  chat: Chat,
  exchange: Exchange,
  wait: number | undefined,
): Promise<Outcome> {
  const { rules, hooks, clock } = world;
  const begunAt = clock.now();
  let planned: number;
  do {
    planned = exchange.finishesAt;
    const until = begunAt + rules.heldMs(wait, Math.max(0, planned - begunAt), request);
    while (clock.now() < until && exchange.finishesAt === planned) {
      const lookAgainMs = hooks.lookAgainMs(Number.POSITIVE_INFINITY, request);
      await hold(world, request, Math.min(until - clock.now(), lookAgainMs));
    }
    // A response that now takes longer is waited for again; one that ended early is not.
  } while (exchange.finishesAt > planned);
  const outcome = shownExchange(world, request, chat, exchange);
  exchange.first ??= outcome;
  return outcome;
}

async function replay(
  world: World,
  request: Request,
  chat: Chat,
  exchange: Exchange,
  message: MessageRequest,
): Promise<Outcome> {
  const { rules, hooks } = world;
  if (chat.id !== exchange.chatId && rules.replayInOtherChat(request) === 'refuse') return refusal('keyReused');
  if (message.text !== exchange.text && rules.replayOfOtherText(request) === 'refuse') return refusal('keyReused');
  hooks.onRepeated(exchange, request);
  if (hooks.startsAgain(false, request, exchange)) accept(world, request, chat, message.text);
  if (rules.replayForm(request) === 'original' && exchange.first !== undefined) return exchange.first;
  const home = world.state.chats.get(exchange.chatId) ?? chat;
  return answer(world, request, home, exchange, message.wait);
}

/** The message that was accepted under that key. */
function findRepeated({ rules, hooks, state, clock }: World, request: Request, chat: Chat, scope: string) {
  const found = state.exchangesByKey.get(scope);
  if (found === undefined) return undefined;
  const later = chat.exchanges.length - 1 - chat.exchanges.indexOf(found);
  const finished = rules.finished(found.finishesAt, clock.now(), request);
  return hooks.keyKnown(true, request, found, finished, later) ? found : undefined;
}

async function act(world: World, request: Request): Promise<Outcome> {
  const { rules, hooks, state, clock } = world;
  const chat = findChat(world, request);
  if (chat === undefined) return refusal('unknownChat', request.ids.chatId);
  const message = readMessageRequest(world, request);
  if (!message.ok) return refuseMessage(world, request, chat, message, '');

  const { key, text } = message;
  const scope = key === undefined ? undefined : rules.keyScope(request.caller?.name ?? '', chat.id, key, request);
  const repeated = scope === undefined ? undefined : findRepeated(world, request, chat, scope);
  if (repeated !== undefined) return replay(world, request, chat, repeated, message);

  if (scope !== undefined && state.keysUsedUp.has(scope)) return refusal('conflict', chat.id);
  const busy = isBusy(world, request, chat);
  const pauseMs = hooks.pauseMs(0, request);
  if (pauseMs > 0) await hold(world, request, pauseMs);
  const running = busy ? chat.exchanges.filter(({ finishesAt }) => clock.now() < finishesAt) : [];
  for (const one of running) one.finishesAt = hooks.disturbedEnd(one.finishesAt, request, one, clock.now());
  const whenBusy = hooks.whenBusy('refuse', request);
  if (busy && whenBusy === 'refuse') return refuseBusy(world, request, chat, text, scope);
  while (whenBusy === 'queue' && isBusy(world, request, chat)) await hold(world, request, lookMs);

  accept(world, request, chat, text, { scope });
  const exchange = chat.exchanges.at(-1);
  if (exchange === undefined) throw new Error(`chat ${chat.id} keeps no message`);
  try {
    return await answer(world, request, chat, exchange, message.wait);
  } catch (error) {
    if (error instanceof TransportError) clientLeft(world, request, chat, exchange, scope);
    throw error;
  }
}

/** The client of a message that was just accepted is gone. */
function clientLeft(world: World, request: Request, chat: Chat, exchange: Exchange, scope?: string): void {
  const { rules, hooks, state, clock } = world;
  hooks.onClientLeft(exchange, request);
  switch (rules.whenClientLeaves(exchange, request)) {
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
export const sendMessage: OperationModel = { denied: deniedInOrganization, missing, act };
