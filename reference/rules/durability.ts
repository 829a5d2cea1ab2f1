import type { Entry } from '../state/journal.ts';
import type { Exchange } from '../state/state.ts';

/** What a restart leaves: the specification does not speak of one, and a promise that was answered has to hold after it. */
export const durabilityRules = {
  /** What is left of an entry that was made so long ago; undefined: nothing. */
  survives(entry: Entry, _ageMs: number): Entry | undefined {
    return entry;
  },
  /** When a response finishes that was generating when the process ended. */
  finishesAfterRestart(exchange: Omit<Exchange, 'first'>, _now: number): number {
    return exchange.finishesAt;
  },
  /** How long nothing answers after a restart. */
  downMs(): number {
    return 0;
  },
} as const;
