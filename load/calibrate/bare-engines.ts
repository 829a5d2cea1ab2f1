import { arrivals, type Schedule } from '../schedule/arrivals.ts';
import { runClosed } from '../engine/closed-engine.ts';
import { type Listener, runOpen, withWarmUp } from '../engine/open-engine.ts';
import { timerPacer } from '../engine/pacer.ts';
import { openSockets } from '../engine/sockets.ts';
import { createMeasurement, type Measurement } from '../measure/measurement.ts';
import type { LoadRequest } from '../schedule/load-request.ts';

/** What an engine without a profile sends: one request, again and again. */
export type BareRun = {
  readonly url: string;
  readonly request: LoadRequest;
  readonly warmUpMs: number;
  readonly durationMs: number;
  readonly listener?: Listener | undefined;
};

export type BareRate = Pick<Schedule, 'arrivals' | 'ratePerSecond'> & {
  readonly seed: number;
  readonly sockets: number;
};

const never = new AbortController().signal;

/** The open engine without a profile. */
export async function bareOpen(
  { url, request, warmUpMs, durationMs, listener = () => {} }: BareRun,
  { arrivals: kind, ratePerSecond, seed, sockets }: BareRate,
): Promise<Measurement> {
  const measurement = createMeasurement(durationMs);
  const stages = [{ ratePerSecond, overMs: durationMs }];
  const pool = openSockets({ baseUrl: url }, sockets, request.request.timeoutMs);
  await runOpen({
    schedule: withWarmUp(warmUpMs, ratePerSecond, arrivals({ arrivals: kind, ratePerSecond, stages }, seed)),
    plan: planOf(request),
    sockets: pool,
    pacer: timerPacer,
    measurement,
    startAt: performance.now() + warmUpMs,
    listener,
    signal: never,
  });
  pool.close();
  return measurement;
}

/** The closed engine without a profile. */
export async function bareClosed(
  { url, request, warmUpMs, durationMs, listener = () => {} }: BareRun,
  connections: number,
): Promise<Measurement> {
  const measurement = createMeasurement(durationMs);
  const common = { route: { baseUrl: url }, connections, warmUpMs, durationMs, measurement, listener, signal: never };
  await runClosed({ ...common, plan: planOf(request), gate: () => 0 });
  return measurement;
}

function planOf(request: LoadRequest) {
  const planned = { kind: 'request', request, done: () => {} } as const;
  return () => planned;
}
