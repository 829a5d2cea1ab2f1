import type { Request } from '../http/request.ts';
import type { Exchange } from '../state/state.ts';

/** Sections 3, 4.2 and 8: one response at a time. */
export const conflictRules = {
  /** Whether a message keeps its chat busy. */
  busy(exchange: Exchange, now: number, _request: Request): boolean {
    return now < exchange.finishesAt;
  },
} as const;
