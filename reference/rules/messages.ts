import type { JsonObject } from '../http/json.ts';
import type { Request } from '../http/request.ts';
import { prompts } from '../prompts.ts';
import type { Exchange } from '../state/state.ts';

/** Sections 2.3, 2.4, 4.2 and 8: what is accepted, how long a request is held, and what the answer shows. */
export const messageRules = {
  mediaTypeAccepted(contentType: string | undefined, _request: Request): boolean {
    return contentType === undefined || /^application\/([\w.-]+\+)?json\b/i.test(contentType);
  },
  /** In characters, which are code points. */
  messageLength(text: string, _request: Request): number {
    let length = text.length;
    for (let index = 0; index < text.length - 1; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) length -= 1;
    }
    return length;
  },
  messageInRange(length: number, _request: Request): boolean {
    return length >= 1 && length <= 10_000;
  },
  /** Whether the service can store these characters. */
  charactersAccepted(_text: string, _request: Request): boolean {
    return true;
  },

  /** In seconds; NaN where it is no integer. */
  readWait(text: string, _request: Request): number {
    return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  },
  waitInRange(seconds: number, _request: Request): boolean {
    return seconds >= 1 && seconds <= 300;
  },
  /** Milliseconds for which a request is held, given its wait in seconds and what the assistant still takes. */
  heldMs(wait: number | undefined, remainingMs: number, _request: Request): number {
    return wait === undefined ? 0 : Math.min(wait * 1000, remainingMs);
  },
  /** What becomes of a message whose client goes away while it is held. A withdrawn one was never sent. */
  whenClientLeaves(_exchange: Exchange, _request: Request): 'goes-on' | 'response-ends' | 'withdrawn' {
    return 'goes-on';
  },

  /** Milliseconds that the assistant takes over a text. */
  assistantMs(text: string, _request: Request): number {
    return text === prompts.slow ? 4000 : 150;
  },
  finished(finishesAt: number, now: number, _request: Request): boolean {
    return now >= finishesAt;
  },
  replyText(text: string, _request: Request): string {
    return text === prompts.quick ? 'ok' : 'Here is what I found.';
  },

  /** The parent of a new user message; null at the beginning of a chat. */
  parentOfUser(previous: Exchange | undefined, _request: Request): string | null {
    return previous?.assistantId ?? null;
  },
  parentOfAssistant(exchange: Exchange, _request: Request): string | null {
    return exchange.userId;
  },
  userStatus(_finished: boolean, _request: Request): string {
    return 'completed';
  },
  assistantStatus(finished: boolean, _request: Request): string {
    return finished ? 'completed' : 'generating';
  },
  assistantRole(_request: Request): string {
    return 'assistant';
  },
  chatStatus(generating: boolean, _request: Request): string {
    return generating ? 'generating' : 'idle';
  },
  messageAnswer(data: JsonObject, _request: Request): JsonObject {
    return { data };
  },
  messageAnswerStatus(finished: boolean, _request: Request): number {
    return finished ? 200 : 202;
  },
} as const;
