import type { Clock } from '../harness/clock.ts';
import { TransportError } from '../harness/http.ts';
import type { Ask } from './ask.ts';
import type { Journal } from './journal.ts';
import type { Rules } from './rules/rules.ts';
import type { State } from './state.ts';

/** A running deployment, as the operations see it. */
export type World = {
  readonly rules: Rules;
  readonly state: State;
  readonly journal: Journal;
  readonly clock: Clock;
  /** An ID that no record has yet. */
  readonly freshId: (prefix: string) => string;
};

/** Lets time pass within a request. Rejects as the client does whose patience ends meanwhile. */
export async function hold(world: World, ask: Ask, ms: number): Promise<void> {
  const until = world.clock.now() + ms;
  const overAt = ask.at + ask.timeoutMs;
  while (world.clock.now() < until) {
    await world.clock.sleep(Math.min(until, overAt) - world.clock.now());
    if (until > overAt && world.clock.now() >= overAt) {
      throw new TransportError('timeout', `no answer within ${ask.timeoutMs} ms`);
    }
  }
}
