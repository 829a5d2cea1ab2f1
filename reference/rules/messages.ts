import type { Request, RefusalKind } from '../http/request.ts';
import type { Json, JsonObject } from '../http/json.ts';
import { prompts } from '../prompts.ts';
import type { Exchange } from '../state/state.ts';

/** Sections 2.3, 2.4, 4.2 and 8: what is accepted, and how it is shown. */
export const messageRules = {
  mediaTypeAccepted(contentType: string | undefined, _request: Request): boolean {
    return contentType === undefined || /^application\/([\w.-]+\+)?json\b/i.test(contentType);
  },
  /** The JSON that a body is read as. */
  jsonRead(body: string, _request: Request): string {
    return body;
  },
  /** The message of the body, whatever it is. */
  messageField(body: JsonObject, _request: Request): Json | undefined {
    return body['message'];
  },
  /** What stands for a message that is no string; undefined refuses it. */
  messageInstead(_value: Json | undefined, _request: Request): string | undefined {
    return undefined;
  },
  /** In characters: code points. */
  messageLength(text: string, _request: Request): number {
    let length = text.length;
    for (let index = 0; index < text.length - 1; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) length -= 1;
    }
    return length;
  },
  /** Whether the service can hold these characters. */
  charactersAccepted(_text: string, _request: Request): boolean {
    return true;
  },
  messageInRange(length: number, _request: Request): boolean {
    return length >= 1 && length <= 10_000;
  },
  messageStored(text: string, _request: Request): string {
    return text;
  },
  /** What becomes of a message that was refused: nothing, or it is answered now, or later, or stored without an answer. */
  refusedBecomes(_kind: RefusalKind, _request: Request): 'nothing' | 'answered-now' | 'answered-later' | 'stored' {
    return 'nothing';
  },
  /** The chat that an ID names, given the IDs of the organization's chats. */
  chatNamed(id: string, _all: () => readonly string[], _request: Request): string {
    return id;
  },
  /** How long the assistant takes over a text, in milliseconds. */
  assistantMs(text: string, _request: Request): number {
    return text === prompts.slow ? 4000 : 150;
  },
  replyText(text: string, _request: Request): string {
    return text === prompts.quick ? 'ok' : 'Here is what I found.';
  },
  /** The message that a new user message follows; null at the beginning of a chat. */
  parentOfUser(previous: Exchange | undefined, _request: Request): string | null {
    return previous?.assistantId ?? null;
  },
  parentOfAssistant(exchange: Exchange, _request: Request): string | null {
    return exchange.userId;
  },
  messageId(fresh: string, _role: 'user' | 'assistant', _previous: Exchange | undefined, _request: Request): string {
    return fresh;
  },
  userStatus(_finished: boolean, _request: Request): string {
    return 'completed';
  },
  assistantStatus(finished: boolean, _request: Request): string {
    return finished ? 'completed' : 'generating';
  },
  chatStatus(generating: boolean, _request: Request): string {
    return generating ? 'generating' : 'idle';
  },
  userRole(_request: Request): string {
    return 'user';
  },
  assistantRole(_request: Request): string {
    return 'assistant';
  },
  chatShown(chat: JsonObject, _request: Request): JsonObject {
    return chat;
  },
  userMessageShown(message: JsonObject, _exchange: Exchange, _request: Request): JsonObject {
    return message;
  },
  assistantMessageShown(message: JsonObject, _exchange: Exchange, _finished: boolean, _request: Request): JsonObject {
    return message;
  },
  partShown(part: JsonObject, _request: Request): JsonObject {
    return part;
  },
  chartShown(chart: JsonObject, _request: Request): JsonObject {
    return chart;
  },
  messageAnswer(data: JsonObject, _request: Request): JsonObject {
    return { data };
  },
  messageAnswerStatus(finished: boolean, _request: Request): number {
    return finished ? 200 : 202;
  },
} as const;
