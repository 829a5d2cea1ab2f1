import type { Arrival } from '../schedule/arrivals.ts';
import type { LoadRequest } from '../schedule/load-request.ts';
import { countSample, countSent, countWithheld, type Measurement } from '../measure/measurement.ts';
import type { Pacer } from './pacer.ts';
import type { Planned } from '../schedule/request-plan.ts';
import type { Arrived, SocketPool } from './sockets.ts';

/** Hears of every request that is over, of the warm-up too; must be quick. Instants are of `performance.now()`. */
export type Listener = (request: LoadRequest, arrived: Arrived, times: FlightTimes) => void;

export type FlightTimes = {
  /** When it was sent; when it was due, where it never was. */
  readonly sentAt: number;
  readonly endedAt: number;
};

export type OpenRun = {
  /** Oldest first; below 0 ms stands the warm-up. */
  readonly schedule: Iterable<Arrival>;
  readonly plan: (index: number) => Planned;
  readonly sockets: SocketPool;
  readonly pacer: Pacer;
  readonly measurement: Measurement;
  /** The instant 0 of the schedule, on `performance.now()`. */
  readonly startAt: number;
  readonly listener: Listener;
  /** Ends the run at once; what is under way counts as unfinished. */
  readonly signal: AbortSignal;
};

export type OpenResult = {
  /** Requests that were under way when the run was told to end. */
  readonly unfinished: number;
  /** More were under way at once than are kept in mind: the run ended at that. */
  readonly isSwamped: boolean;
};

/** A target that stops answering must not fill the memory of whoever measures it. */
export const maxUnderWay = 100_000;

/** How often requests are looked through for those that have waited long enough. */
const sweepMs = 25;

type Flight = {
  readonly deadline: number;
  giveUp: () => void;
};

/**
 * Sends each request when it is due, whatever has become of those before it. Its latency counts from the instant it was
 * due, so that neither a busy target nor a late generator hides what a user would have waited. Resolves when every
 * request is answered or given up.
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
    while (next.done !== true && startAt + next.value.atMs <= performance.now() && flights.count() < maxUnderWay) {
      depart(next.value);
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

  function depart({ index, atMs }: Arrival): void {
    const planned = run.plan(index);
    if (planned.kind === 'withheld') {
      countWithheld(measurement, planned.operation, atMs);
      return;
    }
    const { operation, request } = planned.request;
    const dueAt = startAt + atMs;
    countSent(measurement, operation, atMs, performance.now() - dueAt);
    let sentAt: number | undefined;
    const flight: Flight = { deadline: dueAt + request.timeoutMs, giveUp: () => {} };
    flights.add(flight);
    const sent = () => {
      sentAt = performance.now();
    };
    flight.giveUp = run.sockets.send(request, sent, (arrived) => {
      const now = performance.now();
      if (isEnded) return;
      flights.remove(flight);
      planned.done(arrived.outcome);
      const serviceMs = sentAt === undefined ? undefined : now - sentAt;
      countSample(measurement, { operation, outcome: arrived.outcome, atMs, latencyMs: now - dueAt, serviceMs });
      run.listener(planned.request, arrived, { sentAt: sentAt ?? dueAt, endedAt: now });
      if (next.done === true && flights.count() === 0) end();
    });
  }

  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  if (!isEnded) calledOff = pacer(startAt + (next.done === true ? 0 : next.value.atMs), pump);
  return promise;
}

/** Requests under way, until `end`: each is given up when it has waited long enough. */
function createFlights() {
  const flights = new Set<Flight>();
  let soonest = Number.POSITIVE_INFINITY; // no deadline is sooner; to look at all of thousands takes long

  const sweep = setInterval(() => {
    const now = performance.now();
    if (now < soonest) return;
    const overdue: Flight[] = [];
    soonest = Number.POSITIVE_INFINITY;
    for (const flight of flights) {
      if (flight.deadline <= now) overdue.push(flight);
      else soonest = Math.min(soonest, flight.deadline);
    }
    // The latest first: one that still waits for a socket must not get that of one given up with it.
    for (const flight of overdue.reverse()) flight.giveUp();
  }, sweepMs);

  return {
    add(flight: Flight): void {
      flights.add(flight);
      soonest = Math.min(soonest, flight.deadline);
    },
    remove: (flight: Flight) => void flights.delete(flight),
    count: () => flights.size,
    end: () => clearInterval(sweep),
  };
}

/** A schedule with a warm-up before it: as long as asked, at the rate with which the load begins. */
export function* withWarmUp(warmUpMs: number, ratePerSecond: number, schedule: Iterable<Arrival>): Generator<Arrival> {
  const count = Math.floor((warmUpMs / 1000) * ratePerSecond);
  for (let index = 0; index < count; index += 1) {
    yield { index: index - count, atMs: -warmUpMs + ((index + 0.5) * 1000) / ratePerSecond };
  }
  yield* schedule;
}
