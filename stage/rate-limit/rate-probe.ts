import { type Api, as } from '../../engine/api.ts';
import type { Answer } from '../../core/exchange.ts';
import { retryAfterOf } from '../../core/implied-resets.ts';
import type { Passed } from '../../engine/history/judge-resets.ts';
import { TransportError } from '../../core/http.ts';
import { readPage } from '../../core/page.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { type Settled, settled } from '../../engine/settled.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { homeOf } from '../lists/home-of.ts';

/** Requests under way at once while a quota is used up. */
const concurrency = {
  atFirst: 8,
  /** They grow by `step` with every so many requests that passed: a slow target forgets a window before a few requests fill it. */
  growAfterPassed: 25,
  step: 16,
  maximum: 128,
  /** A target that answers within `quickMs` needs no more of them until `quickEnough` requests passed. */
  quickMs: 10,
  quickEnough: 800,
  /**
   * If one waits so long for the target, which may have a few workers, more would only queue, and delay what is sent while limited until
   * no limit is left. So would requests that wait for limits.maxRequestsPerSecond.
   */
  queuedMs: 2000,
  /** A few keep a quota used up. */
  whenLimited: 3,
  /** If fewer are refused between two that pass, it refills faster. Once each was refused that often in a row, a few are enough again. */
  refusedBetween: 12,
} as const;

/** At most this many refusals of one burst are kept: the first ones, and so many of the latest. More would exhaust the memory. */
const mostLimited = 500;
const latestLimited = 10;

/**
 * What the probes of a session did: the requests of limits.rateProbeRequests that they sent, how often each status came
 * back, and the concurrency that used a quota up.
 */
type Spent = {
  sent: number;
  concurrency: number;
  readonly statuses: Map<number, number>;
  readonly kinds: Map<string, Answer>;
};
const spentIn = perRun((): Spent => ({
  sent: 0,
  concurrency: concurrency.atFirst,
  statuses: new Map(),
  kinds: new Map(),
}));

/** Remembers the answer to a list if it is the first of its kind: a status, and whether the page is empty. */
export function noteProbed({ session }: Api, answer: Answer): void {
  const { kinds } = spentIn(session);
  const kind = `${answer.status} ${readPage(answer)?.items.length === 0}`;
  if (answer.exchange.operation === 'listModels' && !kinds.has(kind)) kinds.set(kind, answer);
}

/** The first answer of each kind that was remembered. */
export function kindsOfProbed({ session }: Api): readonly Answer[] {
  return [...spentIn(session).kinds.values()];
}

/** Sends one harmless request repeatedly, and returns each answer, 429 too. */
export type RateProbe = {
  readonly api: Api;
  /** Blocked if limits.rateProbeRequests are spent. */
  readonly send: () => Promise<Answer>;
};

/** A quota used up. */
export type Exhausted<Result> = {
  /** Requests that passed before the first 429. */
  readonly passed: number;
  /** The 429 answers of the burst, oldest first: at most {@link mostLimited}, the first ones and the latest. */
  readonly limited: readonly Answer[];
  /** When requests passed after the first 429, because the quota refills continuously. Thousands of bodies would exhaust the memory. */
  readonly refilled: readonly Passed[];
  readonly result: Result;
};

/** A probe that sends that request, which must return a 429 at once. */
export function rateProbe(api: Api, request: () => Promise<Answer>): RateProbe {
  return {
    api,
    async send() {
      const spent = spentIn(api.session);
      if (spent.sent >= api.session.target.limits.rateProbeRequests) throw new Blocked(tooFew(api));
      spent.sent += 1;
      const answer = await inTime(request);
      noteProbed(api, answer);
      spent.statuses.set(answer.status, (spent.statuses.get(answer.status) ?? 0) + 1);
      return answer;
    },
  };
}

/** Blocked if no answer comes in time: a target that lets requests wait is not to blame for a burst of them. */
async function inTime(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof TransportError) || error.failure !== 'timeout') throw error;
    throw new Blocked('a request of the rate probe was not answered in time: lower limits.maxRequestsPerSecond');
  }
}

/** The cheapest request: it lists one model of an organization that the principal is admin of. */
export function listing(api: Api, principal: Principal): () => Promise<Answer> {
  const organizationId = homeOf(api.session.target, principal);
  if (organizationId === undefined) throw new Blocked('no principal is adminOf any organization');
  return () => api.listModels(as(principal), organizationId, { limit: 1 }, { patient: false });
}

/** A probe that sends {@link listing}. */
export function listingProbe(api: Api, principal: Principal): RateProbe {
  return rateProbe(api, listing(api, principal));
}

/**
 * Sends as fast as the target file allows until the first 429, then calls `whenLimited` while it keeps sending, so that a
 * quota that refills continuously stays used up. Blocked if limits.rateProbeRequests do not reach a 429.
 */
export async function exhaust<Result>(
  { api, send }: RateProbe,
  whenLimited: (limited: Answer) => Promise<Result>,
): Promise<Exhausted<Result>> {
  const { clock } = api.session;
  const limited: Answer[] = [];
  const refilled: Passed[] = [];
  let passed = 0;
  let limitedAt = Number.POSITIVE_INFINITY;
  let result: Promise<Settled<Result>> | undefined;
  let ended = false;
  let most = 0;
  let wanted: number = concurrency.maximum;
  let working = 0;
  let refusedInARow = 0;
  const { promise: over, resolve: end } = Promise.withResolvers<Settled<Result>>();

  async function work(): Promise<void> {
    working += 1;
    try {
      while (!ended && working <= wanted) {
        const askedAt = clock.now();
        const answer = await send();
        const queued = isQueued(answer, answer.exchange.sentAt - askedAt);
        if (answer.status === 429) meet(answer);
        else if (result === undefined) pass(answer, queued);
        else refill(answer, queued);
      }
    } finally {
      working -= 1;
    }
  }

  function start(count: number): void {
    for (let more = Math.min(count, wanted - working); more > 0; more -= 1) {
      most = Math.max(most, working + 1);
      void settled(work()).then((worked) => {
        // A failure after the first 429 no longer matters.
        if (!worked.ok && result === undefined) end(worked);
      });
    }
  }

  function pass({ elapsedMs }: Answer, queued: boolean): void {
    passed += 1;
    const isEnough = queued || (elapsedMs <= concurrency.quickMs && passed <= concurrency.quickEnough);
    if (passed % concurrency.growAfterPassed === 0 && !isEnough) start(concurrency.step);
  }

  /** A request passed after the first 429, unless it was sent before. */
  function refill(answer: Answer, queued: boolean): void {
    if (answer.exchange.sentAt < limitedAt) return;
    refilled.push(timesOf(answer));
    if (refusedInARow < concurrency.refusedBetween && !queued) wanted = Math.min(concurrency.maximum, 2 * wanted);
    refusedInARow = 0;
    start(wanted);
  }

  function meet(answer: Answer): void {
    if (limited.length === mostLimited) limited.splice(-latestLimited, 1);
    limited.push(answer);
    refusedInARow += 1;
    // Workers that were added because the quota refilled quickly are no longer needed.
    if (refusedInARow >= concurrency.refusedBetween * wanted) wanted = concurrency.whenLimited;
    if (result !== undefined) return;
    wanted = concurrency.whenLimited;
    limitedAt = clock.now();
    result = settled(whenLimited(answer));
    void result.then(end);
  }

  const spent = spentIn(api.session);
  start(spent.concurrency);
  const done = await over;
  ended = true;
  spent.concurrency = most;
  if (!done.ok) throw done.error;
  return { passed, limited: [...limited], refilled: [...refilled], result: done.value };
}

/** When a request that passed was sent and answered. */
export function timesOf({ exchange: { sentAt, receivedAt } }: Answer): Passed {
  return { sentAt, receivedAt };
}

/** Whether more requests at once would only wait: for their turn in the suite, or for the target. */
function isQueued({ elapsedMs }: Answer, waitedMs: number): boolean {
  return waitedMs > elapsedMs || elapsedMs >= concurrency.queuedMs;
}

/**
 * Like {@link exhaust}, but if the first 429 announces that hardly any time is left, it waits for that and starts again in
 * the next window, once. The announced time may be wrong, so the second window is used as it comes.
 */
export async function exhaustEarly<Result>(
  probe: RateProbe,
  whenLimited: (limited: Answer) => Promise<Result>,
): Promise<Exhausted<Result>> {
  const first = await exhaust(probe, async (limited) =>
    hasTime(limited) ? { done: await whenLimited(limited) } : undefined,
  );
  const { result } = first;
  if (result !== undefined) return { ...first, result: result.done };
  const leftMs = retryAfterOf(first.limited[0]) ?? 0;
  await probe.api.session.clock.sleep(Math.max(0, leftMs) + 50);
  return exhaust(probe, whenLimited);
}

/** Whether the window lasts for several more requests. */
function hasTime(limited: Answer): boolean {
  const leftMs = retryAfterOf(limited);
  return leftMs === undefined || leftMs >= 300 + 4 * limited.elapsedMs;
}

function tooFew({ session }: Api): string {
  const { rateProbeRequests, maxRequestsPerSecond } = session.target.limits;
  const { statuses } = spentIn(session);
  const counts = [...statuses].map(([status, count]) => `${count} were answered ${status}`).join(', ');
  // If something else refuses frequent requests, more requests would not help.
  const unless =
    statuses.size > 1 && !statuses.has(429) ? `, unless a limit is answered otherwise than 429: ${counts}` : '';
  const spent = `the ${rateProbeRequests} requests of the rate probe were spent`;
  if (statuses.has(429)) return `${spent}: raise limits.rateProbeRequests`;
  if (!Number.isFinite(maxRequestsPerSecond)) return `${spent} without a 429: raise limits.rateProbeRequests${unless}`;
  return `${spent} without a 429: limits.maxRequestsPerSecond ${maxRequestsPerSecond} hides a quota that allows more a second: raise it, or limits.rateProbeRequests if the quota is for a longer time${unless}`;
}
