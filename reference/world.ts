import type { Clock } from '../core/clock.ts';
import { TransportError } from '../core/http.ts';
import type { Request } from './http/request.ts';
import type { Hooks } from './hooks/points.ts';
import type { Journal } from './state/journal.ts';
import type { Rules } from './rules/rules.ts';
import type { State } from './state/state.ts';

/** A running deployment. */
export type World = {
  readonly rules: Rules;
  readonly hooks: Hooks;
  readonly state: State;
  readonly journal: Journal;
  /** Never goes back; an outage moves only what {@link World.timestamp} shows. */
  readonly clock: Clock;
  /** That instant of the clock, as the deployment shows it. */
  readonly timestamp: (ms: number) => string;
  /** An ID that no record has yet. */
  readonly freshId: (prefix: string) => string;
};

/** Lets time pass within a request. Rejects when its client disconnects or times out. */
export async function hold(world: World, request: Request, ms: number): Promise<void> {
  const until = world.clock.now() + ms;
  const overAt = request.at + request.timeoutMs;
  while (world.clock.now() < until) {
    await passed(world.clock.sleep(Math.min(until, overAt) - world.clock.now()), request.left);
    if (request.left?.aborted === true || (until > overAt && world.clock.now() >= overAt)) {
      throw new TransportError('timeout', `no answer within ${request.timeoutMs} ms`);
    }
  }
}

/** Rejects when the client of the request has waited as long as it does. */
export async function whilePatient<Done>(clock: Clock, { at, timeoutMs }: Request, work: Promise<Done>): Promise<Done> {
  if (!Number.isFinite(timeoutMs)) return work;
  const gone = clock.sleep(at + timeoutMs - clock.now()).then(() => {
    throw new TransportError('timeout', `no answer within ${timeoutMs} ms`);
  });
  return Promise.race([work, gone]);
}

/** Ends when the time has passed or the client has disconnected. */
async function passed(slept: Promise<void>, left: AbortSignal | undefined): Promise<void> {
  if (left === undefined) return slept;
  const { promise, resolve } = Promise.withResolvers<void>();
  left.addEventListener('abort', () => resolve(), { once: true });
  await Promise.race([slept, promise]);
}
