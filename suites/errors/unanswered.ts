import type { Api } from '../../engine/api.ts';
import { waitIn } from '../../core/paths.ts';
import { isOutOfRange } from '../../engine/timeouts.ts';
import { answeredAfter } from '../../engine/session/held-requests.ts';
import { errorsOf, isBroken } from '../../engine/session/errors/internal-errors.ts';
import { patienceMs } from '../../engine/session/waits/patience.ts';
import { type Exchange, isSuccess } from '../../core/exchange.ts';
import { TransportError } from '../../core/http.ts';
import { Blocked, type Violation } from '../../engine/verdict.ts';
import type { Operation } from '../../spec/requirement.ts';

/** Failures closer together than this, in milliseconds, may be one outage. */
const outageMs = 1000;

/** How many requests are sent again, and how often each: one that was held without an answer once only, because it takes as long again. */
const maxAgain = 5;
const repeats = { usual: 2, heldUnanswered: 1 } as const;
/** The pause before each repetition, in milliseconds: an outage may last for a second or two. */
const pauseMs = 1500;

/**
 * From this many broken answers of one kind, they are no accident, even if each request succeeds when repeated, unless more than
 * `timesAsMany` as many requests like them were answered: a bad network breaks some of many.
 */
const [tooMany, timesAsMany] = [3, 3];
/** A request that is held was held for at least this many milliseconds, and two for about as long within this share. */
const [heldMs, share] = [900, 0.05];

/**
 * The first failed exchange that is not an accident of the network; undefined if there is none. It has to fail each time it is
 * sent again. A write may fail only while there is something to change, so it also counts if no request of its operation was
 * ever accepted and another such request was not answered either.
 */
export async function confirmed(api: Api, violations: readonly Violation[]): Promise<Violation | undefined> {
  const failed = violations.flatMap((violation) =>
    violation.evidence.slice(0, 1).map((exchange) => ({ violation, exchange })),
  );
  const failures = failed.map(({ exchange }) => exchange);
  const certain = failed.find(({ exchange }) => isCertain(api, exchange, failures));
  if (certain !== undefined) return certain.violation;
  const different = new Map(failed.map((one) => [identityOf(one.exchange), one] as const));
  for (const { violation, exchange } of [...different.values()].slice(0, maxAgain)) {
    if (await failsAgain(api, exchange)) return violation;
  }
  return undefined;
}

function isCertain(api: Api, exchange: Exchange, all: readonly Exchange[]): boolean {
  const { operation, request } = exchange;
  const alike = all.filter((other) => other.operation === operation && isBroken(other) === isBroken(exchange));
  const areOften = alike.filter((other) => isAlone(other, all)).length >= tooMany;
  if (isBroken(exchange) && areOften && isBrokenOften(api, operation)) return true;
  if (isCutWhenHeld(api, exchange, all)) return true;
  if (request.method === 'GET' || wasAccepted(api, operation)) return false;
  const writes = alike.filter((other) => other.request.method !== 'GET');
  return new Set(writes.map(identityOf)).size >= 2;
}

function isBrokenOften({ session }: Api, operation: Operation): boolean {
  const { requests, broken } = errorsOf(session, operation);
  return requests - broken <= timesAsMany * broken;
}

/** Whether held requests fail again and again after the same time, as when a proxy closes their connection. */
function isCutWhenHeld({ session }: Api, exchange: Exchange, all: readonly Exchange[]): boolean {
  const tookMs = heldFor(exchange);
  const cut = all
    .filter((other) => Math.abs(heldFor(other) - tookMs) <= share * tookMs)
    .toSorted((one, other) => one.sentAt - other.sentAt);
  let [count, latest] = [0, Number.NEGATIVE_INFINITY];
  for (const { sentAt } of cut) {
    if (sentAt - latest <= outageMs) continue;
    count += 1;
    latest = sentAt;
  }
  // A proxy that closes connections after that time lets no request be held for as long.
  return count >= tooMany && answeredAfter(session, Math.min(...cut.map(heldFor))) <= timesAsMany * count;
}

/** For how long a request with wait was held until its connection broke, in milliseconds; NaN for any other. */
function heldFor({ request, outcome, sentAt, receivedAt }: Exchange): number {
  const isReset = outcome.kind === 'failed' && outcome.failure === 'reset';
  return isReset && waitIn(request.path) !== undefined && receivedAt - sentAt >= heldMs
    ? receivedAt - sentAt
    : Number.NaN;
}

/** Whether nothing else failed at that time: in a network outage, many requests fail. */
function isAlone(exchange: Exchange, all: readonly Exchange[]): boolean {
  return all.every((other) => other === exchange || Math.abs(other.sentAt - exchange.sentAt) > outageMs);
}

function wasAccepted(api: Api, operation: Operation): boolean {
  return api.session.sampled().some((answer) => answer.exchange.operation === operation && isSuccess(answer));
}

function identityOf({ request }: Exchange): string {
  return JSON.stringify([request.method, request.path, request.body, request.headers['authorization']]);
}

async function failsAgain(api: Api, { operation, caller, request: first, outcome }: Exchange): Promise<boolean> {
  const wait = waitIn(first.path);
  const isHeld = wait !== undefined && isOutOfRange(wait);
  const timeoutMs = isHeld ? patienceMs(api.session, 'the refusal of a wait', first.timeoutMs) : first.timeoutMs;
  const request = { ...first, timeoutMs };
  const isHeldUnanswered = wait !== undefined && outcome.kind === 'failed' && outcome.failure === 'timeout';
  for (let again = 0; again < (isHeldUnanswered ? repeats.heldUnanswered : repeats.usual); again += 1) {
    await api.session.clock.sleep(pauseMs);
    try {
      await api.session.sender.send({ operation, caller, request, patient: true, regardless: true }, () => undefined);
      return false;
    } catch (error) {
      if (error instanceof Blocked) return false;
      if (!(error instanceof TransportError)) throw error;
      if (error.failure === 'refused' || error.failure === 'too-large') return false;
    }
  }
  return true;
}
