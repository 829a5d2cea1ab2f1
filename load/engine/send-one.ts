import type { LoadRequest } from '../schedule/load-request.ts';
import { countSample, countSent } from '../measure/measurement.ts';
import type { OpenRun } from './open-engine.ts';
import type { Arrived } from './sockets.ts';

/** `signal` gives up the request under way. */
export type SendOptions = Pick<OpenRun, 'sockets' | 'measurement' | 'startAt' | 'listener' | 'signal'> & {
  /** Whether the request is of the warm-up; by default, if its time begins before `startAt`. */
  readonly isWarmUp?: boolean;
};

/** One request that is over; instants are of `performance.now()`. */
export type Sent = { readonly arrived: Arrived; readonly sentAt: number; readonly endedAt: number };

/** Whether a message was accepted. */
export function isAccepted({ arrived: { outcome } }: Pick<Sent, 'arrived'>): boolean {
  return outcome === 200 || outcome === 202;
}

/**
 * Sends one request as soon as the sockets let it, counts it, and resolves when it is answered or given up; never rejects.
 * Its time counts from `scheduledAt`, an instant of `performance.now()`; by default from the sending.
 */
export async function sendOne(options: SendOptions, request: LoadRequest, scheduledAt?: number): Promise<Sent> {
  const { sockets, measurement, startAt, listener, signal } = options;
  const { operation } = request;
  let sentAt = performance.now();
  const lagMs = scheduledAt === undefined ? undefined : sentAt + sockets.heldMs() - scheduledAt;
  const atMs = () => (scheduledAt ?? sentAt) - startAt;
  const isWarmUp = () => options.isWarmUp ?? atMs() < 0;
  let timer: NodeJS.Timeout | undefined;
  const { promise, resolve } = Promise.withResolvers<Arrived>();
  const sent = (at: number) => {
    sentAt = at;
    countSent(measurement, operation, atMs(), lagMs, isWarmUp());
    timer = setTimeout(() => giveUp(), request.request.timeoutMs);
  };
  const giveUp = sockets.send(request.request, sent, resolve);
  signal.addEventListener('abort', giveUp);
  const arrived = await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', giveUp);
  const endedAt = performance.now();
  if (!signal.aborted) {
    const { outcome, phases, sent: asSent } = arrived;
    const latencyMs = endedAt - (scheduledAt ?? sentAt);
    const serviceMs = endedAt - sentAt;
    const sample = { operation, outcome, atMs: atMs(), latencyMs, serviceMs, phases, sent: asSent };
    countSample(measurement, sample, isWarmUp());
    listener(request, arrived, { sentAt, endedAt, isWarmUp: isWarmUp() });
  }
  return { arrived, sentAt, endedAt };
}
