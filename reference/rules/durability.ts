import type { Message } from '../state/state.ts';

/** A restart. The specification does not describe one, but what was answered has to hold after it. */
export const durabilityRules = {
  /** When a response finishes that was generating when the process ended. */
  finishesAfterRestart(message: Message, _now: number): number {
    return message.finishesAt;
  },
  /** Milliseconds in which nothing answers after a restart. */
  downMs(): number {
    return 0;
  },
} as const;
