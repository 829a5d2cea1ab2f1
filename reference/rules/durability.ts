import type { OutageKind } from '../../core/outages.ts';
import type { Message } from '../state/state.ts';

/** Outages. The specification does not describe them, but what was answered has to hold after them. */
export const durabilityRules = {
  /** When a response finishes that was generating at the end of a pause, or when the process ended. */
  finishesAfterOutage(message: Message, _now: number, _kind: OutageKind): number {
    return message.finishesAt;
  },
  /** Milliseconds in which nothing answers after a restart or while another node takes over. */
  downMs(): number {
    return 0;
  },
  /** What becomes of a request that meets a pause: `lost` and `unanswered` ones get no answer, and the latter are carried out. */
  whenPaused(): 'waits' | 'lost' | 'unanswered' | 'gateway' {
    return 'waits';
  },
} as const;
