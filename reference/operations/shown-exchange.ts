import type { Ask, Success } from '../http/ask.ts';
import type { JsonObject } from '../http/json.ts';
import type { Chat, Exchange } from '../state/state.ts';
import type { World } from '../world.ts';

function part(world: World, ask: Ask, id: string, content: string, phase: string, at: string): JsonObject {
  const shown = { id, type: 'text', content, externalId: null, name: null, phase, createdAt: at, updatedAt: at };
  return world.rules.partShown(shown, ask);
}

function chart(world: World, ask: Ask, messageId: string): JsonObject {
  const shown = {
    chartId: `chart-of-${messageId}`,
    chartVersionId: 'v1',
    title: 'Rows per day',
    imageUrl: 'https://charts.example.com/1.png',
    mimeType: 'image/png',
    width: 640,
    height: 360.5,
  };
  return world.rules.chartShown(shown, ask);
}

function chatRecord(world: World, ask: Ask, chat: Chat, generating: boolean): JsonObject {
  const { rules } = world;
  const shown = {
    id: chat.id,
    organizationId: chat.organizationId,
    name: 'Chat',
    status: rules.chatStatus(generating, ask),
    source: 'api',
    memberId: 'member_api',
    createdAt: rules.timestamp(chat.createdAt),
    updatedAt: rules.timestamp(chat.exchanges.at(-1)?.acceptedAt ?? chat.createdAt),
  };
  return rules.chatShown(shown, ask);
}

function userRecord(world: World, ask: Ask, exchange: Exchange, finished: boolean): JsonObject {
  const { rules } = world;
  const at = rules.timestamp(exchange.acceptedAt);
  const shown = {
    id: exchange.userId,
    chatId: exchange.chatId,
    role: rules.userRole(ask),
    status: rules.userStatus(finished, ask),
    parentId: exchange.parentId,
    text: exchange.text,
    parts: [],
    charts: [],
    createdAt: at,
    updatedAt: at,
  };
  return rules.userMessageShown(shown, exchange, ask);
}

function assistantRecord(world: World, ask: Ask, exchange: Exchange, finished: boolean): JsonObject {
  const { rules } = world;
  const text = finished ? rules.replyText(exchange.text, ask) : '';
  const createdAt = rules.timestamp(exchange.acceptedAt);
  const updatedAt = rules.timestamp(finished ? exchange.finishesAt : exchange.acceptedAt);
  const thinking = part(world, ask, `${exchange.assistantId}-1`, 'Looking at it.', 'commentary', createdAt);
  const last = finished ? [part(world, ask, `${exchange.assistantId}-2`, text, 'answer', updatedAt)] : [];
  const shown = {
    id: exchange.assistantId,
    chatId: exchange.chatId,
    role: rules.assistantRole(ask),
    status: rules.assistantStatus(finished, ask),
    parentId: rules.parentOfAssistant(exchange, ask),
    text,
    parts: [thinking, ...last],
    charts: finished ? [chart(world, ask, exchange.assistantId)] : [],
    createdAt,
    updatedAt,
  };
  return rules.assistantMessageShown(shown, exchange, finished, ask);
}

/** The answer that shows an exchange as it is now. */
export function shownExchange(world: World, ask: Ask, chat: Chat, exchange: Exchange): Success {
  const { rules } = world;
  const now = world.clock.now();
  const finished = rules.finished(exchange.finishesAt, now, ask);
  const generating = chat.exchanges.some((other) => now < other.finishesAt);
  const data = {
    chat: chatRecord(world, ask, chat, generating),
    userMessage: userRecord(world, ask, exchange, finished),
    assistantMessage: assistantRecord(world, ask, exchange, finished),
  };
  const text = JSON.stringify(rules.messageAnswer(data, ask));
  return { ok: true, status: rules.messageAnswerStatus(finished, ask), text };
}
