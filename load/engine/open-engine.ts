import type { Arrival } from '../schedule/arrivals.ts';
import type { LoadRequest } from '../schedule/load-request.ts';
import { countSample, countSent, countUnsent, type Measurement } from '../measure/measurement.ts';
import type { FlightTimes } from './flight-times.ts';
import type { Pacer } from './pacer.ts';
import type { Planned } from '../schedule/request-plan.ts';
import type { Arrived, SocketPool } from './sockets.ts';

/** Called for every request that is over, also in the warm-up; must be quick. Instants are of `performance.now()`. */
export type Listener = (request: LoadRequest, arrived: Arrived, times: FlightTimes) => void;

export type OpenRun = {
  /** Oldest first; the warm-up is below 0 ms. */
  readonly schedule: Iterable<Arrival>;
  readonly plan: (index: number) => Planned;
  readonly sockets: SocketPool;
  readonly pacer: Pacer;
  readonly measurement: Measurement;
  /** The instant 0 of the schedule, on `performance.now()`. */
  readonly startAt: number;
  readonly listener: Listener;
  /** Ends the run at once; requests under way count as unfinished. */
  readonly signal: AbortSignal;
};

export type OpenResult = {
  /** Requests that were under way when the run ended. */
  readonly unfinished: number;
  /** Whether the run ended because too many requests were under way at once. */
  readonly isSwamped: boolean;
};

/** A target that stops answering must not fill the memory of the generator. */
export const maxUnderWay = 100_000;

/** In milliseconds: if the rate cap would delay a request for longer, the request is dropped. A shorter delay does not matter. */
const mostHeldMs = 2;

/** The number of overdue requests that leave before answers are read again, because answers are as urgent as requests. */
const mostAtOnce = 32;

/** How often overdue requests are searched for. */
const sweepMs = 25;

type Flight = {
  readonly sequence: number;
  readonly deadline: number;
  /** Its index among the requests under way, which changes. */
  place: number;
  giveUp: () => void;
};

/**
 * Sends each request at its scheduled instant, even if earlier ones are still waiting. Latency counts from that instant, so
 * neither a busy target nor a late generator hides how long a user would have waited. A request that would exceed the rate
 * cap is dropped and counted. Resolves when every request is answered or given up.
 */
export function runOpen(run: OpenRun): Promise<OpenResult> {
  const { promise, resolve } = Promise.withResolvers<OpenResult>();
  const { measurement, startAt, signal, pacer } = run;
  const arrivals = run.schedule[Symbol.iterator]();
  const flights = createFlights();
  let next = arrivals.next();
  let calledOff = () => {};
  let isEnded = false;

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    flights.end();
    calledOff();
    signal.removeEventListener('abort', end);
    resolve({ unfinished: flights.count(), isSwamped: flights.count() >= maxUnderWay });
  }

  function pump(): void {
    for (let left = mostAtOnce; left > 0 && flights.count() < maxUnderWay; left -= 1) {
      const now = performance.now();
      if (next.done === true || startAt + next.value.atMs > now) break;
      depart(next.value, now);
      next = arrivals.next();
    }
    if (flights.count() >= maxUnderWay) {
      end();
    } else if (next.done === true) {
      if (flights.count() === 0) end();
    } else if (!isEnded) {
      calledOff = pacer(startAt + next.value.atMs, pump);
    }
  }

  function depart({ index, atMs }: Arrival, now: number): void {
    const planned = run.plan(index);
    if (planned.kind === 'dropped') {
      countUnsent(measurement, planned.operation, atMs, 'dropped');
      return;
    }
    const { operation, request } = planned.request;
    const scheduledAt = startAt + atMs;
    const heldMs = run.sockets.heldMs();
    if (heldMs > mostHeldMs) {
      planned.done('unsent');
      countUnsent(measurement, operation, atMs, 'capped');
      return;
    }
    countSent(measurement, operation, atMs, now + heldMs - scheduledAt);
    let sentAt: number | undefined;
    // What this process was late with is not taken from the time that the target has.
    const flight = flights.add(now + request.timeoutMs);
    const sent = (at: number) => {
      sentAt = at;
    };
    flight.giveUp = run.sockets.send(request, sent, (arrived, endedAt) => {
      if (isEnded) return;
      flights.remove(flight);
      planned.done(arrived.outcome, arrived.body);
      const serviceMs = sentAt === undefined ? undefined : endedAt - sentAt;
      const { outcome, phases, sent: asSent } = arrived;
      const latencyMs = endedAt - scheduledAt;
      countSample(measurement, { operation, outcome, atMs, latencyMs, serviceMs, phases, sent: asSent });
      run.listener(planned.request, arrived, { sentAt: sentAt ?? scheduledAt, endedAt, isWarmUp: atMs < 0 });
      if (next.done === true && flights.count() === 0) end();
    });
  }

  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  if (!isEnded) calledOff = pacer(startAt + (next.done === true ? 0 : next.value.atMs), pump);
  return promise;
}

/** Requests under way, until `end`. Each is given up at its deadline. */
function createFlights() {
  // In any order, because the last one takes the place of one that is over. A set would keep dead requests in its old tables.
  const flights: Flight[] = [];
  let added = 0;
  let soonest = Number.POSITIVE_INFINITY; // the earliest deadline: checking thousands of requests takes long

  let sweptAt = performance.now();

  const sweep = setInterval(() => {
    const now = performance.now();
    const wasStopped = now - sweptAt > 2 * sweepMs;
    sweptAt = now;
    // Answers that came while this process was stopped are read before the next time.
    if (now < soonest || wasStopped) return;
    const overdue: Flight[] = [];
    soonest = Number.POSITIVE_INFINITY;
    for (const flight of flights) {
      if (flight.deadline <= now) overdue.push(flight);
      else soonest = Math.min(soonest, flight.deadline);
    }
    // The latest first: a request that waits for a socket must not get the socket of a request that is given up now too.
    for (const flight of overdue.sort((one, other) => other.sequence - one.sequence)) flight.giveUp();
  }, sweepMs);

  return {
    add(deadline: number): Flight {
      added += 1;
      const flight: Flight = { sequence: added, deadline, place: flights.length, giveUp: () => {} };
      flights.push(flight);
      soonest = Math.min(soonest, deadline);
      return flight;
    },
    remove(flight: Flight): void {
      const last = flights.pop();
      if (last === undefined || last === flight) return;
      flights[flight.place] = last;
      last.place = flight.place;
    },
    count: () => flights.length,
    end: () => clearInterval(sweep),
  };
}

/** A schedule with a warm-up before it, at the rate with which the load begins. */
export function* withWarmUp(warmUpMs: number, ratePerSecond: number, schedule: Iterable<Arrival>): Generator<Arrival> {
  const count = Math.floor((warmUpMs / 1000) * ratePerSecond);
  for (let index = 0; index < count; index += 1) {
    yield { index: index - count, atMs: -warmUpMs + ((index + 0.5) * 1000) / ratePerSecond };
  }
  yield* schedule;
}
