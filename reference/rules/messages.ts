import type { Ask, RefusalKind } from '../http/ask.ts';
import type { Json, JsonObject } from '../http/json.ts';
import { prompts } from '../prompts.ts';
import type { Exchange } from '../state/state.ts';

/** Sections 2.3, 2.4, 4.2 and 8: what is accepted, and how it is shown. */
export const messageRules = {
  mediaTypeAccepted(contentType: string | undefined, _ask: Ask): boolean {
    return contentType === undefined || /^application\/([\w.-]+\+)?json\b/i.test(contentType);
  },
  /** The JSON that a body is read as. */
  jsonRead(body: string, _ask: Ask): string {
    return body;
  },
  /** The message of the body, whatever it is. */
  messageField(body: JsonObject, _ask: Ask): Json | undefined {
    return body['message'];
  },
  /** What stands for a message that is no string; undefined refuses it. */
  messageInstead(_value: Json | undefined, _ask: Ask): string | undefined {
    return undefined;
  },
  /** In characters: code points. */
  messageLength(text: string, _ask: Ask): number {
    let length = text.length;
    for (let index = 0; index < text.length - 1; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) length -= 1;
    }
    return length;
  },
  /** Whether the service can hold these characters. */
  charactersAccepted(_text: string, _ask: Ask): boolean {
    return true;
  },
  messageInRange(length: number, _ask: Ask): boolean {
    return length >= 1 && length <= 10_000;
  },
  messageStored(text: string, _ask: Ask): string {
    return text;
  },
  /** What becomes of a message that was refused: nothing, or it is answered now, or later, or stored without an answer. */
  refusedBecomes(_kind: RefusalKind, _ask: Ask): 'nothing' | 'answered-now' | 'answered-later' | 'stored' {
    return 'nothing';
  },
  /** The chat that an ID names, given the IDs of the organization's chats. */
  chatNamed(id: string, _all: () => readonly string[], _ask: Ask): string {
    return id;
  },
  /** How long the assistant takes over a text, in milliseconds. */
  assistantMs(text: string, _ask: Ask): number {
    return text === prompts.slow ? 4000 : 150;
  },
  replyText(text: string, _ask: Ask): string {
    return text === prompts.quick ? 'ok' : 'Here is what I found.';
  },
  /** The message that a new user message follows; null at the beginning of a chat. */
  parentOfUser(previous: Exchange | undefined, _ask: Ask): string | null {
    return previous?.assistantId ?? null;
  },
  parentOfAssistant(exchange: Exchange, _ask: Ask): string | null {
    return exchange.userId;
  },
  messageId(fresh: string, _role: 'user' | 'assistant', _previous: Exchange | undefined, _ask: Ask): string {
    return fresh;
  },
  userStatus(_finished: boolean, _ask: Ask): string {
    return 'completed';
  },
  assistantStatus(finished: boolean, _ask: Ask): string {
    return finished ? 'completed' : 'generating';
  },
  chatStatus(generating: boolean, _ask: Ask): string {
    return generating ? 'generating' : 'idle';
  },
  userRole(_ask: Ask): string {
    return 'user';
  },
  assistantRole(_ask: Ask): string {
    return 'assistant';
  },
  chatShown(chat: JsonObject, _ask: Ask): JsonObject {
    return chat;
  },
  userMessageShown(message: JsonObject, _exchange: Exchange, _ask: Ask): JsonObject {
    return message;
  },
  assistantMessageShown(message: JsonObject, _exchange: Exchange, _finished: boolean, _ask: Ask): JsonObject {
    return message;
  },
  partShown(part: JsonObject, _ask: Ask): JsonObject {
    return part;
  },
  chartShown(chart: JsonObject, _ask: Ask): JsonObject {
    return chart;
  },
  messageAnswer(data: JsonObject, _ask: Ask): JsonObject {
    return { data };
  },
  messageAnswerStatus(finished: boolean, _ask: Ask): number {
    return finished ? 200 : 202;
  },
} as const;
