import { virtualClock } from '../core/clock.ts';
import { type HttpResponse, TransportError } from '../core/http.ts';
import type { MixEntry } from '../load/profile/mix.ts';
import { arrivals, type Schedule, wholeLoad } from '../load/schedule/arrivals.ts';
import type { LoadRequest } from '../load/schedule/load-request.ts';
import { createRequestPlan } from '../load/schedule/request-plan.ts';
import { judgeAnswer } from '../load/validate/judge-answer.ts';
import { createReference } from '../reference/reference.ts';
import type { Finding, Trial } from './trial.ts';

/** About 80 requests: enough to send each kind of request several times. */
const schedule: Schedule = {
  arrivals: 'poisson',
  ratePerSecond: 20,
  stages: [{ ratePerSecond: 20, overMs: 4000 }],
};

/** Pages of several sizes, and a wait that some responses outlast and some do not. */
const mix: readonly MixEntry[] = [
  { operation: 'listModels', weight: 4, limits: [1, 2, 10, 50, 100], pages: 3, filters: true },
  { operation: 'listDataSources', weight: 3, limits: [1, 2, 10, 50, 100], pages: 3, filters: true },
  { operation: 'getBillingAccount', weight: 1 },
  { operation: 'sendMessage', weight: 2, waitSeconds: 2, prompt: 'quick', ifAllowed: false },
];

const timeoutMs = 10_000;

/** Puts a short validated load on a deployment, in virtual time and without sockets: one finding for each broken requirement. */
export async function shortLoad(trial: Trial): Promise<readonly Finding[]> {
  const clock = virtualClock();
  const { seed } = trial;
  const { deployment, target } = createReference({ clock, ...trial });
  const plan = createRequestPlan({
    target,
    profile: { mix, timeoutMs },
    seed,
    shard: wholeLoad,
    runId: 'proof',
    now: clock.now,
  });
  const broken = new Map<string, Finding>();
  /** The last answer to each request that is sent again and again: the same bytes need no second look. */
  const latest = new Map<LoadRequest, HttpResponse>();

  async function send(index: number, atMs: number): Promise<void> {
    await clock.sleep(atMs);
    const planned = plan.at(index);
    if (planned.kind !== 'request') return;
    const { request, done } = planned;
    try {
      const response = await deployment(request.request);
      done(response.status, [response.body]);
      if (isSame(response, latest.get(request))) return;
      if (request.repeats) latest.set(request, response);
      for (const finding of findingsIn(request, response)) broken.set(finding.requirement, finding);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      done(error.failure);
    }
  }

  await Promise.all([...arrivals(schedule, seed)].map(({ index, atMs }) => send(index, atMs)));
  return [...broken.values()];
}

function isSame({ status, body }: HttpResponse, before: HttpResponse | undefined): boolean {
  return before !== undefined && before.status === status && before.body === body;
}

function findingsIn({ operation, caller, request }: LoadRequest, response: HttpResponse): readonly Finding[] {
  const outcome = { kind: 'answered', response } as const;
  // No promise that a load judges depends on the times.
  const exchange = { operation, caller, request, sentAt: 0, receivedAt: 0, outcome };
  return judgeAnswer(exchange).map(({ rule, expected, actual }): Finding => {
    return { check: rule, requirement: rule, kind: 'failed', text: `expected ${expected}; got ${actual}` };
  });
}
