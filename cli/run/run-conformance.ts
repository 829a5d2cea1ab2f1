import { redactorOf } from '../../core/redaction/redact.ts';
import type { Target } from '../../core/target.ts';
import { identity } from '../../reports/record/identity.ts';
import type { CheckRecord, ObservationRecord, RunRecord } from '../../reports/record/record.ts';
import { eventFormat, type RunEvent } from '../../reports/record/run-event.ts';
import { statusOf } from '../../reports/record/check-status.ts';
import { settled, type Waivers } from '../../reports/record/waivers.ts';
import { allChecks } from '../../suites/own-checks.ts';
import { type RunPlan, selectChecks } from '../../suites/plan.ts';
import { type Judging, recordRun } from '../../suites/run/run-suite.ts';
import { mostTimerMs, timeIsOver } from '../../suites/run/deadline.ts';
import { collectVerdicts } from './collect-verdicts.ts';
import { runInVitest } from './run-in-vitest.ts';

export type RunOptions = {
  readonly plan: RunPlan;
  readonly target: Target;
  /** What the reader should know about the target file and the keys. */
  readonly notes: readonly string[];
  /** Requests that were sent to the target before. */
  readonly requestsBefore: number;
  /** The violations and gaps that are known and do not count. */
  readonly waivers: Waivers;
  /** The number of failed musts after which the run stops. */
  readonly bail?: number | undefined;
  /** Gets each event of the run when it happens. */
  readonly onEvent: (event: RunEvent) => void;
  /** Aborted where the run was interrupted before it began. */
  readonly signal: AbortSignal;
};

/**
 * Runs the suite and returns its record. SIGINT and SIGTERM end the run early, and the record shows that. It writes files only
 * in its own temporary folder.
 */
export async function runConformance({
  plan,
  target,
  notes,
  requestsBefore,
  bail,
  onEvent,
  signal,
  ...options
}: RunOptions): Promise<RunRecord> {
  const { seed, strict } = plan;
  const all = await allChecks(plan.suites);
  const selected = selectChecks(all, plan.only);
  const startedAt = Date.now();
  const redactor = redactorOf(target);
  const waivers = redacted(options.waivers, redactor.text);
  const facts = { target: targetFacts(plan, target), seed, strict, only: [...plan.only] };

  const failed = new AbortController();
  let failedMusts = 0;
  const onVerdict = (made: CheckRecord, requests: number): void => {
    const check = settled(made, waivers, startedAt);
    onEvent({ event: 'verdict', check, requests });
    failedMusts += check.level === 'must' && statusOf(check) === 'failed' ? 1 : 0;
    if (bail !== undefined && failedMusts >= bail) failed.abort();
  };

  const inVitest: Judging = async (checks, onCheck) => {
    const onObservation = (observation: ObservationRecord) => onEvent({ event: 'observation', observation });
    const { reporter, outcome } = collectVerdicts(checks, redactor, { onCheck, onObservation });
    const over = overAt(plan.endsAt);
    const interrupted = await runInVitest(plan, reporter, signal, failed.signal, over);
    const musts = failedMusts === 1 ? 'must' : 'musts';
    const stopped = failed.signal.aborted ? `the run stopped after ${failedMusts} failed ${musts}` : undefined;
    // Its end is what a thread reports that is ended.
    if (over.aborted) return { ...outcome(), problems: [], interrupted, stopped: stopped ?? timeIsOver };
    return { ...outcome(), interrupted, stopped };
  };

  const begun = { ...identity(), ...facts, startedAt: new Date(startedAt).toISOString() };
  onEvent({ event: 'start', format: eventFormat, ...begun, checks: selected.map(({ id }) => id), ...known(waivers) });
  const record = await recordRun(inVitest, selected, {
    ...facts,
    all,
    startedAt,
    now: Date.now,
    requestsBefore,
    notes: [...notes],
    waivers,
    onCheck: onVerdict,
  });
  onEvent(endOf(record));
  return record;
}

/** How long after its time a run that goes on is stopped, in milliseconds. Its report must be written within 5 s. */
const graceMs = 2500;

/** Aborts if the thread of a run with a time limit does not end it itself, because it has too much to do. */
function overAt(endsAt = Number.POSITIVE_INFINITY): AbortSignal {
  return AbortSignal.timeout(Math.min(Math.max(0, Math.round(endsAt + graceMs - Date.now())), mostTimerMs));
}

function endOf({ result, summary, durationMs, requests, waivers, notes, problems, ...rest }: RunRecord): RunEvent {
  const { acceptedGaps, usedUp } = rest;
  const known = { waivers, ...(acceptedGaps && { acceptedGaps }) };
  const ended = { result, summary, durationMs, requests, ...known, notes, problems };
  return { event: 'end', ...ended, ...(usedUp && { usedUp }) };
}

function known({ waivers, acceptedGaps }: Waivers) {
  return { waivers: [...waivers], ...(acceptedGaps.length > 0 && { acceptedGaps: [...acceptedGaps] }) };
}

function targetFacts({ deployment }: RunPlan, { name, baseUrl, tls }: Target): RunRecord['target'] {
  if (deployment.kind !== 'embedded') {
    return { name, baseUrl, ...(tls?.insecure === true ? { insecure: true } : {}) };
  }
  return { name, baseUrl, embedded: { faults: [...deployment.faults], choices: { ...deployment.choices } } };
}

/** A key in a reason must not reach a report. */
function redacted({ waivers, acceptedGaps }: Waivers, redact: (text: string) => string): Waivers {
  return {
    waivers: waivers.map((waiver) => ({
      ...waiver,
      reason: redact(waiver.reason),
      owner: redact(waiver.owner),
      link: redact(waiver.link),
    })),
    acceptedGaps: acceptedGaps.map((gap) => ({ ...gap, reason: redact(gap.reason), owner: redact(gap.owner) })),
  };
}
