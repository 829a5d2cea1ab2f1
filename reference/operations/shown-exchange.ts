import type { Request, Success } from '../http/request.ts';
import type { JsonObject } from '../http/json.ts';
import type { Chat, Exchange } from '../state/state.ts';
import type { World } from '../world.ts';

function part(world: World, request: Request, id: string, content: string, phase: string, at: string): JsonObject {
  const shown = { id, type: 'text', content, externalId: null, name: null, phase, createdAt: at, updatedAt: at };
  return world.hooks.partShown(shown, request);
}

function chart(world: World, request: Request, messageId: string): JsonObject {
  const shown = {
    chartId: `chart-of-${messageId}`,
    chartVersionId: 'v1',
    title: 'Rows per day',
    imageUrl: 'https://charts.example.com/1.png',
    mimeType: 'image/png',
    width: 640,
    height: 360.5,
  };
  return world.hooks.chartShown(shown, request);
}

function chatRecord(world: World, request: Request, chat: Chat, generating: boolean): JsonObject {
  const { rules } = world;
  const shown = {
    id: chat.id,
    organizationId: chat.organizationId,
    name: 'Chat',
    status: rules.chatStatus(generating, request),
    source: 'api',
    memberId: 'member_api',
    createdAt: world.timestamp(chat.createdAt),
    updatedAt: world.timestamp(chat.exchanges.at(-1)?.acceptedAt ?? chat.createdAt),
  };
  return world.hooks.chatShown(shown, request);
}

function userRecord(world: World, request: Request, exchange: Exchange, finished: boolean): JsonObject {
  const { rules, hooks } = world;
  const at = world.timestamp(exchange.acceptedAt);
  const shown = {
    id: exchange.userId,
    chatId: exchange.chatId,
    role: 'user',
    status: rules.userStatus(finished, request),
    parentId: exchange.parentId,
    text: exchange.text,
    parts: [],
    charts: [],
    createdAt: at,
    updatedAt: at,
  };
  return hooks.userMessageShown(shown, request, exchange);
}

function assistantRecord(world: World, request: Request, exchange: Exchange, finished: boolean): JsonObject {
  const { rules } = world;
  const text = finished ? rules.replyText(exchange.text, request) : '';
  const createdAt = world.timestamp(exchange.acceptedAt);
  const updatedAt = world.timestamp(finished ? exchange.finishesAt : exchange.acceptedAt);
  const thinking = part(world, request, `${exchange.assistantId}-1`, 'Looking at it.', 'commentary', createdAt);
  const last = finished ? [part(world, request, `${exchange.assistantId}-2`, text, 'answer', updatedAt)] : [];
  const shown = {
    id: exchange.assistantId,
    chatId: exchange.chatId,
    role: rules.assistantRole(request),
    status: rules.assistantStatus(finished, request),
    parentId: rules.parentOfAssistant(exchange, request),
    text,
    parts: [thinking, ...last],
    charts: finished ? [chart(world, request, exchange.assistantId)] : [],
    createdAt,
    updatedAt,
  };
  return world.hooks.assistantMessageShown(shown, request, exchange, finished);
}

/** The answer that shows an exchange as it is now. */
export function shownExchange(world: World, request: Request, chat: Chat, exchange: Exchange): Success {
  const { rules } = world;
  const now = world.clock.now();
  const finished = rules.finished(exchange.finishesAt, now, request);
  const generating = chat.exchanges.some((other) => now < other.finishesAt);
  const data = {
    chat: chatRecord(world, request, chat, generating),
    userMessage: userRecord(world, request, exchange, finished),
    assistantMessage: assistantRecord(world, request, exchange, finished),
  };
  const text = JSON.stringify(rules.messageAnswer(data, request));
  return { ok: true, status: rules.messageAnswerStatus(finished, request), text };
}
