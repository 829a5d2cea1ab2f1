import { sum } from '../../core/numbers.ts';
import type { Check } from '../../engine/check.ts';
import { virtualClock } from '../../core/clock.ts';
import type { HttpRequest } from '../../core/http.ts';
import type { OutageKind } from '../../core/outages.ts';
import type { Target } from '../../core/target.ts';
import { type UsedUp, usedUp } from '../../engine/session/used-up.ts';
import type { CheckRecord } from '../../reports/record/record.ts';
import { createReference, type ReferenceOptions } from '../../reference/reference.ts';
import type { Diagnosis } from '../../targets/doctor/doctor.ts';
import { isOwn } from '../../engine/own-check.ts';
import { standInData, standInTarget } from './stand-in.ts';
import { openSession } from '../../suites/run/open-session.ts';
import { runSuite } from '../../suites/run/run-suite.ts';

/** What a run would send, and how long it would take: an estimate. */
export type Forecast = {
  readonly reads: number;
  readonly writes: { readonly messages: number; readonly deletions: number; readonly attachments: number };
  /** The messages that are accepted, each of which an assistant answers. */
  readonly accepted: number;
  readonly usedUp: UsedUp;
  readonly durationMs: number;
  /** When each check would end, from the start of the run on, in milliseconds, earliest first. */
  readonly endsMs: readonly number[];
  /** The checks that could not be judged, each with its reason. */
  readonly blocked: readonly CheckRecord[];
};

export type ForecastOptions = {
  readonly target: Target;
  readonly checks: readonly Check<string>[];
  /** How long a request takes at least and at most, in milliseconds. */
  readonly latencyMs: readonly [number, number];
  readonly seed: number;
  /** What can be made to happen to the deployment. */
  readonly outages: readonly OutageKind[];
  /** The data of the target. By default the data of the reference, with as many fixtures as the target declares. */
  readonly like?: ReferenceOptions['like'];
};

/** In milliseconds, where no request shows the latency. */
const assumedLatencyMs = 50;

/** The latency of a deployment that was looked at, as {@link ForecastOptions} take it. */
export function usualLatency({
  latencyMs = assumedLatencyMs,
}: Pick<Diagnosis, 'latencyMs'>): ForecastOptions['latencyMs'] {
  return [latencyMs, latencyMs];
}

/**
 * Runs the checks in memory and in virtual time on the reference, with the limits of the target: so the forecast counts
 * instead of guessing. It leaves out a vendor's own checks, which may do anything. It takes about a quarter second.
 */
export async function forecast({
  target,
  checks,
  latencyMs: [least, most],
  seed,
  outages,
  like,
}: ForecastOptions): Promise<Forecast> {
  const clock = virtualClock();
  const latencyMs = [Math.round(least), Math.round(most)] as const;
  const reference = createReference({
    clock,
    seed,
    latencyMs,
    like: like ?? { data: standInData(target, seed), rules: {} },
  });
  const sent = { reads: 0, messages: 0, deletions: 0, attachments: 0 };
  const deployment = (request: HttpRequest) => {
    sent[kindOf(request)] += 1;
    return reference.deployment(request);
  };
  const standIn = {
    deployment,
    target: like === undefined ? standInTarget(reference.target, target) : target,
    clock,
    seed,
    outages: Object.fromEntries(outages.map((kind) => [kind, reference.outages[kind]])),
  };
  const known = checks.filter(({ id }) => !isOwn(id));
  const session = openSession(standIn, checks);
  const endsMs: number[] = [];
  const startedAt = clock.now();
  const onCheck = () => endsMs.push(clock.now() - startedAt);
  const record = await runSuite(session, known, { onCheck, observed: false });
  const blocked = record.checks.filter(({ verdict }) => verdict === 'blocked');
  const { reads, ...writes } = sent;
  const used = usedUp(session);
  const accepted = sum(used.messages.map(({ count }) => count));
  return { reads, writes, accepted, usedUp: used, durationMs: record.durationMs, endsMs, blocked };
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
