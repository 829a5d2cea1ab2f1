import type { Operation } from '../../spec/requirement.ts';
import { createBreaker } from './unanswered/breaker.ts';
import type { Clock } from '../../core/clock.ts';
import { type Answer, answerOf, type Exchange } from '../../core/exchange.ts';
import { gatewayStatuses } from '../../core/gateway-answer.ts';
import { type Deployment, type HttpRequest, TransportError } from '../../core/http.ts';
import { at } from '../../core/json.ts';
import { createLimitPatience } from './limit-patience.ts';
import { createLifeline, type Lifeline } from './unanswered/lifeline.ts';
import { createRetry, type OnExchange } from './unanswered/retry.ts';
import { Blocked } from '../verdict.ts';

/** How often a rate-limited request is sent before it is blocked. */
const maxAttempts = 12;
/** All requests wait for what one is asked to wait. What one waits beyond that, the others share up to this time, in milliseconds. */
const mostSharedMs = 2000;
/** The pause between two tests whether the deployment is up again, in milliseconds. */
const upPauseMs = 500;

/** After a pause of at most `mostMs` milliseconds, requests keep a greater distance. It grows with each such pause, and decays with each request. */
const distance = { mostMs: 150, growth: 1.5, decay: 0.8 } as const;

export type Outgoing = {
  readonly operation: Operation;
  /** The principal's name, or what is wrong with its credential. */
  readonly caller: string;
  readonly request: HttpRequest;
  /** Sent even if its operation has stopped answering. */
  readonly regardless?: boolean;
  /** False returns a 429 to the caller instead of waiting it out. */
  readonly patient: boolean;
  /** How often a patient request is sent at most while a limit refuses it; by default {@link maxAttempts} times. */
  readonly tries?: number | undefined;
  /** Awaited when the request has its turn under the rate limit, so that several can go out at the same instant. */
  readonly gate?: (() => Promise<void>) | undefined;
};

export type Sender = {
  readonly send: (outgoing: Outgoing, seen: OnExchange) => Promise<Answer>;
  /**
   * Sends a request until something other than a gateway answers, for at most `forMs` milliseconds, and returns whether
   * that happened. Then paused operations are sent again.
   */
  readonly untilUp: (request: HttpRequest, forMs: number) => Promise<boolean>;
  /** Requests sent so far. */
  readonly sent: () => number;
  /** Whether and why the deployment is gone: `whyGone` and `gone` of the lifeline. */
  readonly lifeline: Pick<Lifeline, 'gone' | 'whyGone'>;
  /** The first 429 after which a request was given up, because waiting as asked did not help. */
  readonly givenUp: () => Answer | undefined;
};

export type SenderOptions = {
  /** Adds what every request carries. The ordinal counts the requests from 1 on. */
  readonly complete?: (request: HttpRequest, ordinal: number) => HttpRequest;
  /** Reads that succeeded before. */
  readonly answered?: readonly Exchange[] | undefined;
};

/**
 * Sends requests no faster than `maxPerSecond`, waits 429 out by `retryAfterMs` (Retry-After as fallback), repeats requests
 * after transient failures and outages, and stops sending an operation that does not answer. Rejects with TransportError, or
 * with Blocked when the wait is too long.
 */
export function createSender(
  deployment: Deployment,
  clock: Clock,
  maxPerSecond: number,
  { complete = (request) => request, answered = [] }: SenderOptions = {},
): Sender {
  const pacer = createPacer(clock, 1000 / maxPerSecond);
  const breaker = createBreaker(clock);
  const askAgain = (before: Exchange) => exchange({ ...before, patient: false });
  const retry = createRetry(clock, askAgain);
  const lifeline = createLifeline(clock, askAgain);
  answered.forEach(lifeline.note);
  let sent = 0;
  let givenUp: Answer | undefined;
  const patience = createLimitPatience();

  async function exchange(outgoing: Outgoing): Promise<Exchange> {
    sent += 1;
    const done = await ask(deployment, clock, { ...outgoing, request: complete(outgoing.request, sent) });
    lifeline.note(done);
    return done;
  }

  async function send(outgoing: Outgoing, seen: OnExchange): Promise<Answer> {
    const { operation, caller, tries = maxAttempts } = outgoing;
    const waiting = patience.begin(operation, caller);
    let startedAt = Infinity;
    for (let attempt = 1; ; attempt += 1) {
      if (outgoing.regardless !== true) breaker.pass(operation);
      await pacer.takeSlot(outgoing.patient);
      if (attempt === 1) {
        await outgoing.gate?.();
        startedAt = clock.now(); // not before its turn, which may be late
      }
      // A raced request, or one at a limit, is judged by its own instant and answer.
      const mayRepeat = outgoing.patient && outgoing.gate === undefined;
      const done = await retry.over(operation, mayRepeat, () => exchange(outgoing), seen);
      if (mayRepeat || !isRefused(done)) breaker.note(done);
      seen(done, 'final');
      const answer = answerOf(done);
      if (answer === undefined) throw failureOf(done);
      if (answer.status !== 429) waiting.passed();
      if (answer.status !== 429 || !outgoing.patient) return answer;
      const askedMs = waiting.believedMs(askedWaitMs(answer));
      const leastMs = attempt === 1 ? 0 : 25 * 2 ** attempt; // a limit that asks for too little is asked less and less often
      const waitMs = Math.max(askedMs, leastMs);
      if (attempt === tries || clock.now() + waitMs > startedAt + waiting.forMs(askedMs)) {
        givenUp ??= answer;
        waiting.givenUp(attempt);
        throw new Blocked(
          `rate limited: still 429 after ${attempt} tries, and the next one would be ${Math.round(waitMs)} ms later`,
        );
      }
      pacer.pauseUntil(clock.now() + Math.max(Math.min(waitMs, mostSharedMs), askedMs));
      pacer.slowDown(waitMs);
      await clock.sleep(waitMs);
    }
  }

  async function untilUp(request: HttpRequest, forMs: number): Promise<boolean> {
    for (const giveUpAt = clock.now() + forMs; clock.now() < giveUpAt; await clock.sleep(upPauseMs)) {
      const { outcome } = await exchange({ operation: 'listDataSources', caller: 'outage', request, patient: false });
      if (outcome.kind === 'answered' && !gatewayStatuses.includes(outcome.response.status)) {
        breaker.close();
        retry.forget();
        return true;
      }
    }
    return false;
  }

  return { send, untilUp, sent: () => sent, lifeline, givenUp: () => givenUp };
}

/**
 * Spaces requests. Patient requests also wait for the end of a pause, and keep a greater distance after a short pause. Otherwise a
 * limit that accepts one request every few milliseconds would refuse most of the requests that try again at the same time.
 */
function createPacer(clock: Clock, spacingMs: number) {
  let nextSlot = 0;
  let pausedUntil = 0;
  let distanceMs = 0;
  return {
    async takeSlot(patient: boolean): Promise<void> {
      const now = clock.now();
      const slot = Math.max(now, nextSlot);
      nextSlot = slot + (patient ? Math.max(spacingMs, distanceMs) : spacingMs);
      if (patient) distanceMs *= distance.decay;
      if (slot > now) await clock.sleep(slot - now);
      if (patient && pausedUntil > clock.now()) await clock.sleep(pausedUntil - clock.now());
    },
    slowDown(pauseMs: number): void {
      if (pauseMs <= distance.mostMs)
        distanceMs = Math.min(distance.mostMs, distance.growth * Math.max(distanceMs, pauseMs));
    },
    pauseUntil(at: number): void {
      pausedUntil = Math.max(pausedUntil, at);
    },
  };
}

async function ask(deployment: Deployment, clock: Clock, { operation, caller, request }: Outgoing): Promise<Exchange> {
  const common = { operation, caller, request, sentAt: clock.now() };
  try {
    const response = await deployment(request);
    return { ...common, receivedAt: clock.now(), outcome: { kind: 'answered', response } };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { failure, message } = error;
    return { ...common, receivedAt: clock.now(), outcome: { kind: 'failed', failure, message } };
  }
}

/** Nothing listens, so the request can wait until something does. */
function isRefused({ outcome }: Exchange): boolean {
  return outcome.kind === 'failed' && outcome.failure === 'refused';
}

/** The wait that a 429 asks for, in milliseconds; a second if it asks for none. */
function askedWaitMs(answer: Answer): number {
  const asked = at(answer.json, 'error', 'retryAfterMs');
  const header = Number(answer.headers['retry-after']);
  if (typeof asked === 'number' && asked >= 0) return Math.max(asked, 1);
  return Number.isFinite(header) && header >= 0 ? Math.max(header * 1000, 1) : 1000;
}

function failureOf(exchange: Exchange): TransportError {
  if (exchange.outcome.kind === 'answered') throw new Error('an answered exchange is not a failure');
  const { method, path } = exchange.request;
  return new TransportError(exchange.outcome.failure, `${method} ${path}: ${exchange.outcome.message}`);
}
