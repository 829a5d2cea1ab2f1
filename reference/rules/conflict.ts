import type { Request } from '../http/request.ts';
import type { Chat, Exchange } from '../state/state.ts';

/** Sections 3, 4.2 and 8: one response at a time. */
export const conflictRules = {
  /** The chats among which one response may be generating. */
  conflictsWith(chat: Chat, _all: () => readonly Chat[], _request: Request): readonly Chat[] {
    return [chat];
  },
  /** Whether a message keeps its chat busy. */
  busy(exchange: Exchange, now: number, _request: Request): boolean {
    return now < exchange.finishesAt;
  },
  /** What a busy chat does with another message; `queue` accepts it once the chat is idle, and answers only then. */
  whenBusy(_request: Request): 'refuse' | 'accept' | 'queue' {
    return 'refuse';
  },
  /** When a response that is generating finishes once another message has come. */
  finishesWhenDisturbed(exchange: Exchange, _now: number, _request: Request): number {
    return exchange.finishesAt;
  },
  /** Milliseconds between finding a key new and a chat idle, and taking both. */
  conflictPauseMs(_request: Request): number {
    return 0;
  },
} as const;
