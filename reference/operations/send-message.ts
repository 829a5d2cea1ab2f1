import { TransportError } from '../../core/http.ts';
import { record } from '../state/apply-entry.ts';
import { type Request, type Outcome, type Refusal, refusal } from '../http/request.ts';
import type { Chat, Exchange } from '../state/state.ts';
import { hold, type World } from '../world.ts';
import { accept, busy, leave } from './accept-message.ts';
import { type MessageRequest, readMessageRequest } from './message-request.ts';
import type { OperationModel } from './operation.ts';
import { deniedInOrganization, missingOrganization } from './organization-access.ts';
import { shownExchange } from './shown-exchange.ts';

function findChat(world: World, request: Request): Chat | undefined {
  const { organizationId, chatId } = request.ids;
  const all = (): readonly string[] => world.state.organizations.get(organizationId)?.data.chats ?? [];
  return world.state.chats.get(world.rules.chatNamed(chatId, all, request));
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

/** Between two looks whether a chat is idle, in milliseconds. */
const lookMs = 50;

/** The patience of the client bounds it. */
async function untilIdle(world: World, request: Request, chat: Chat): Promise<void> {
  while (busy(world, request, chat)) await hold(world, request, lookMs);
}

/** Holds the request as `wait` asks, and shows what there is then. */
async function answer(
  world: World,
  request: Request,
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
      wait === undefined
        ? rules.noWaitMs(remainingMs, request)
        : rules.heldMs(rules.waitMs(wait, request), remainingMs, request);
    const until = begunAt + ms;
    while (clock.now() < until && exchange.finishesAt === planned) {
      await hold(world, request, Math.min(until - clock.now(), rules.lookAgainMs(request)));
    }
    // What now takes longer is waited for as long as was asked; what is over is over.
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
  sent: MessageRequest,
): Promise<Outcome> {
  const { rules } = world;
  if (chat.id !== exchange.chatId && rules.replayInOtherChat(request) === 'refuse') return refusal('keyReused');
  if (sent.text !== exchange.text && rules.replayOfOtherText(request) === 'refuse') return refusal('keyReused');
  if (rules.replayStartsAgain(exchange, request)) accept(world, request, chat, sent.text);
  if (rules.replayForm(request) === 'original' && exchange.first !== undefined) return exchange.first;
  const home = world.state.chats.get(exchange.chatId) ?? chat;
  return answer(world, request, home, exchange, sent.wait);
}

async function act(world: World, request: Request): Promise<Outcome> {
  const { rules, state, clock } = world;
  const chat = findChat(world, request);
  if (chat === undefined) return refusal('unknownChat', request.ids.chatId);
  const sent = readMessageRequest(world, request);
  if (!sent.ok) return leave(world, request, chat, sent, '');

  const { key } = sent;
  const scope = key === undefined ? undefined : rules.keyScope(request.caller?.name ?? '', chat.id, key, request);
  const known = scope === undefined ? undefined : state.exchangesByKey.get(scope);
  if (known !== undefined) {
    const later = chat.exchanges.length - 1 - chat.exchanges.indexOf(known);
    const finished = rules.finished(known.finishesAt, clock.now(), request);
    if (rules.keyRemembered(known, finished, later, request)) return replay(world, request, chat, known, sent);
  }

  if (scope !== undefined && state.keysUsedUp.has(scope)) return refusal('conflict', chat.id);
  const isBusy = busy(world, request, chat);
  const conflictPauseMs = rules.conflictPauseMs(request);
  if (conflictPauseMs > 0) await hold(world, request, conflictPauseMs);
  const running = isBusy ? chat.exchanges.filter(({ finishesAt }) => clock.now() < finishesAt) : [];
  for (const disturbed of running) disturbed.finishesAt = rules.finishesWhenDisturbed(disturbed, clock.now(), request);
  if (isBusy && rules.whenBusy(request) === 'refuse') {
    if (scope !== undefined && rules.conflictUsesKey(request)) {
      record(world, { kind: 'key-used-up', at: clock.now(), scope });
    }
    return leave(world, request, chat, refusal('conflict', chat.id), sent.text);
  }

  if (isBusy && rules.whenBusy(request) === 'queue') await untilIdle(world, request, chat);
  accept(world, request, chat, sent.text, { scope });
  const exchange = chat.exchanges.at(-1);
  if (exchange === undefined) throw new Error(`chat ${chat.id} keeps no message`);
  try {
    return await answer(world, request, chat, exchange, sent.wait);
  } catch (error) {
    if (error instanceof TransportError) leftAlone(world, request, chat, exchange, scope);
    throw error;
  }
}

/** The client of a message that was just accepted is gone. */
function leftAlone(
  { rules, state, clock }: World,
  request: Request,
  chat: Chat,
  exchange: Exchange,
  scope?: string,
): void {
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
export const sendMessage: OperationModel = {
  denied: (world, request) => deniedInOrganization(world, request, world.rules.maySendMessage),
  missing,
  act,
};
