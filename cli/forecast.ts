import { type Check, judge, phases } from '../harness/check.ts';
import { virtualClock } from '../harness/clock.ts';
import type { Deployment } from '../harness/http.ts';
import { createSession } from '../harness/session.ts';
import type { Target } from '../harness/target.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { watches } from '../suites/watches.ts';

/** A vendor's own checks may do anything, and are not tried out. */
const known: ReadonlySet<Check<string>> = new Set<Check<string>>(suites);

/** What a run would do to a target: an estimate. */
export type Forecast = {
  readonly requests: number;
  /** Messages that would be accepted. */
  readonly messages: number;
  readonly deletions: number;
  readonly attachments: number;
  readonly durationMs: number;
};

/** As many checks as a run has under way at once. */
export const checksAtOnce = 8;

/**
 * Runs the checks on the embedded reference in virtual time, as rich in chats and in what may be used up as the target,
 * as slow, and within its limits: what it took there is what it would take. Costs a quarter of a second.
 */
export async function forecast(target: Target, checks: readonly Check<string>[], latencyMs: number): Promise<Forecast> {
  const clock = virtualClock();
  const startedAt = clock.now();
  const latency = Math.min(60_000, Math.max(0, Math.round(latencyMs)));
  const reference = createReference({ clock, seed: 1, latencyMs: [latency, latency] });
  const counts = { requests: 0, messages: 0, deletions: 0, attachments: 0 };
  const deployment: Deployment = async (request) => {
    const answer = await reference.deployment(request);
    counts.requests += 1;
    if (answer.status >= 300) return answer;
    if (request.method === 'DELETE') counts.deletions += 1;
    else if (request.method === 'POST')
      counts[request.path.endsWith('/organizations') ? 'attachments' : 'messages'] += 1;
    return answer;
  };
  const session = createSession({ deployment, target: alike(reference.target, target), clock, seed: 1, watches });

  for (const phase of phases) {
    const waiting = checks.filter((check) => check.phase === phase && known.has(check)).values();
    const crew = Array.from({ length: phase === 'together' ? checksAtOnce : 1 }, async () => {
      for (const check of waiting) await judge(check, session);
    });
    await Promise.all(crew);
  }
  return { ...counts, durationMs: clock.now() - startedAt };
}

/** The reference's target with no more to use up than the other has, and the other's limits. */
function alike(reference: Target, { limits, allow, organizations, billingAccounts }: Target): Target {
  const left = {
    chats: sum(organizations.map(({ chats }) => chats.length)),
    sources: sum(organizations.map(({ disposableDataSources }) => disposableDataSources.length)),
    attachable: sum(billingAccounts.map(({ attachable }) => attachable.length)),
  };
  const take = (of: readonly string[], kind: keyof typeof left): readonly string[] => {
    const taken = of.slice(0, left[kind]);
    left[kind] -= taken.length;
    return taken;
  };
  return {
    ...reference,
    limits,
    allow,
    organizations: reference.organizations.map((organization) => ({
      ...organization,
      chats: take(organization.chats, 'chats'),
      disposableDataSources: take(organization.disposableDataSources, 'sources'),
    })),
    billingAccounts: reference.billingAccounts.map((account) => ({
      ...account,
      attachable: take(account.attachable, 'attachable'),
    })),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
