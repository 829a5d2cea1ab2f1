import type { Request } from '../http/request.ts';
import type { Exchange } from '../state/state.ts';

/** Sections 4.2 and 8: holding a request open. */
export const waitingRules = {
  /** The number that a wait is written as; NaN where it is none. */
  readWait(text: string, _request: Request): number {
    return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  },
  waitInRange(seconds: number, _request: Request): boolean {
    return seconds >= 1 && seconds <= 300;
  },
  /** What stands for a wait that is no integer in range; undefined refuses it. */
  waitInstead(_seconds: number, _request: Request): number | undefined {
    return undefined;
  },
  waitMs(seconds: number, _request: Request): number {
    return seconds * 1000;
  },
  /** How long a request without wait is held. */
  noWaitMs(_remainingMs: number, _request: Request): number {
    return 0;
  },
  /** How long a request is held, given how long it may be and how long the assistant still takes. */
  heldMs(waitMs: number, remainingMs: number, _request: Request): number {
    return Math.min(waitMs, remainingMs);
  },
  /** How often a held request looks whether its response ended early. */
  lookAgainMs(_request: Request): number {
    return Number.POSITIVE_INFINITY;
  },
  /** What becomes of a message whose client goes away while it is held; withdrawn, it was never sent. */
  whenClientLeaves(_exchange: Exchange, _request: Request): 'goes-on' | 'response-ends' | 'withdrawn' {
    return 'goes-on';
  },
  /** Whether a response is finished that finishes then. */
  finished(finishesAt: number, now: number, _request: Request): boolean {
    return now >= finishesAt;
  },
} as const;
