import type { Check } from '../harness/check.ts';
import { virtualClock } from '../harness/clock.ts';
import type { HttpRequest } from '../harness/http.ts';
import { judgeAll } from '../harness/judge-all.ts';
import { createSession } from '../harness/session.ts';
import type { Target } from '../harness/target.ts';
import { usedUp, type UsedUp } from '../harness/used-up.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { watches } from '../suites/watches.ts';
import type { Examination } from '../targets/examine.ts';
import { rehearsalWorld } from './rehearsal-world.ts';

/** What a run is going to be like, as far as that can be known before. */
export type Rehearsal = {
  readonly reads: number;
  readonly writes: { readonly messages: number; readonly deletions: number; readonly attachments: number };
  readonly usedUp: UsedUp;
  readonly durationMs: number;
  readonly checks: number;
  /** Requests that are sent at the most, beyond those counted, until the target refuses one. */
  readonly rateProbeRequests: number;
  /** Checks that cannot be judged, by what would unblock them. */
  readonly blocked: readonly { readonly reason: string; readonly checks: readonly Check[] }[];
};

type RehearsalOptions = {
  readonly target: Target;
  readonly examination: Examination;
  readonly seed: number;
  /** Whether somebody can restart the deployment. */
  readonly canRestart: boolean;
};

/**
 * Runs the whole suite in memory and in virtual time on the reference, which holds what the examined deployment showed: so
 * the plan of a run is not guessed but counted. A real run draws other values, meets other latencies, and may meet faults.
 */
export async function rehearse({ target, examination, seed, canRestart }: RehearsalOptions): Promise<Rehearsal> {
  const clock = virtualClock();
  const { median, p95 } = examination.pulse.latencyMs ?? { median: 0, p95: 0 };
  const like = rehearsalWorld(target, examination);
  const reference = createReference({ clock, seed, latencyMs: [Math.round(median), Math.round(p95)], like });
  const sent = { reads: 0, messages: 0, deletions: 0, attachments: 0 };
  const deployment = (request: HttpRequest) => {
    sent[kindOf(request)] += 1;
    return reference.deployment(request);
  };
  const restart = canRestart ? reference.restart : undefined;
  const session = createSession({ deployment, target, clock, seed, watches, restart });
  const startedAt = clock.now();
  const blocked: { reason: string; check: Check }[] = [];
  // How much a quota lets through is not known, so finding it out is no part of the plan, unless it is forbidden.
  const checks = suites.filter(({ phase }) => phase !== 'rateLimit' || !target.allow.has('rateLimit'));
  await judgeAll(checks, session, undefined, (check, verdict) => {
    const known = suites.find(({ id }) => id === check.id);
    if (verdict.kind === 'blocked' && known !== undefined) blocked.push({ reason: verdict.reason, check: known });
  });
  const byReason = Map.groupBy(blocked, ({ reason }) => reason);
  const { reads, ...writes } = sent;
  return {
    reads,
    writes,
    usedUp: usedUp(session),
    durationMs: clock.now() - startedAt,
    checks: checks.length,
    rateProbeRequests: target.allow.has('rateLimit') ? target.limits.rateProbeRequests : 0,
    blocked: [...byReason].map(([reason, own]) => ({ reason, checks: own.map(({ check }) => check) })),
  };
}

function kindOf({ method, path }: HttpRequest): 'reads' | 'messages' | 'deletions' | 'attachments' {
  switch (method) {
    case 'GET':
      return 'reads';
    case 'DELETE':
      return 'deletions';
    case 'POST':
      return path.includes('/chats/') ? 'messages' : 'attachments';
  }
}
