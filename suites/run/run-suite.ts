import type { Check } from '../../engine/check.ts';
import { isRepetition } from '../../engine/session/repeated-keys.ts';
import type { Session } from '../../engine/session/session.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { redactorOf } from '../../core/redaction/redact.ts';
import { buildRecord, type RunFacts } from '../../reports/record/build.ts';
import { checkRecord } from '../../reports/record/check-record.ts';
import { observationRecord } from '../../reports/record/observation-record.ts';
import type { CheckRecord, RunRecord } from '../../reports/record/record.ts';
import { usedUpRecord } from '../../reports/record/used-up-record.ts';
import { noWaivers } from '../../reports/record/waivers.ts';
import { suites } from '../index.ts';
import { type Alone, checksAtOnce, inTurn } from './in-turn.ts';
import { judge } from './judge.ts';

/** The results of a run besides its verdicts. */
export type Outcome = Pick<RunFacts, 'requests' | 'observations' | 'usedUp' | 'problems' | 'interrupted' | 'stopped'>;

/** Receives each judged check, and the number of requests so far. */
export type OnCheck = (check: CheckRecord, requests: number) => void;

/** How checks are judged: in this process, or in one test of vitest each. */
export type Judging = (checks: readonly Check<string>[], onCheck: OnCheck) => Promise<Outcome>;

/** The parts of a record that do not come from judging. */
export type Premises = Pick<RunFacts, 'target' | 'seed'> &
  Partial<Pick<RunFacts, 'strict' | 'only' | 'notes' | 'waivers' | 'startedAt'>> & {
    /** All checks, including own checks, from which the run selects. */
    readonly all?: readonly Check<string>[] | undefined;
    /** Measures how long the run takes, in milliseconds. */
    readonly now: () => number;
    /** The number of requests before the run, which tested whether the deployment can be judged. */
    readonly requestsBefore?: number;
    readonly onCheck?: OnCheck | undefined;
  };

/** Judges the checks and builds the record of the run: for every command, program and proof that runs the suite. */
export async function recordRun(
  judging: Judging,
  checks: readonly Check<string>[],
  { all = suites, now, requestsBefore = 0, onCheck, startedAt = now(), ...premises }: Premises,
): Promise<RunRecord> {
  const began = now();
  const done: CheckRecord[] = [];
  const outcome = await judging(checks, (check, requests) => {
    done.push(check);
    onCheck?.(check, requestsBefore + requests);
  });
  const durationMs = now() - began;
  return buildRecord(all, checks, done, {
    strict: false,
    only: [],
    notes: [],
    waivers: noWaivers,
    ...premises,
    ...outcome,
    requests: requestsBefore + outcome.requests,
    startedAt,
    durationMs,
  });
}

type Manner = {
  /** The number of checks that run side by side. */
  readonly atOnce?: number | undefined;
  /** Ends the run at once when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** The fast-check path of the only counterexample to try for a check. */
  readonly replayPathOf?: ((check: Check<string>) => string | undefined) | undefined;
  /** False leaves observations out of the record, for a caller that reads only verdicts: redacting them takes a tenth of a run. */
  readonly observed?: boolean | undefined;
};

export type SuiteOptions = Manner & Partial<Omit<Premises, 'seed' | 'now'>>;

/** Runs the checks of a session in this process and gives the record. Times are those of the session's clock. */
export function runSuite(
  session: Session,
  checks: readonly Check<string>[],
  { atOnce, signal, replayPathOf, observed, ...premises }: SuiteOptions = {},
): Promise<RunRecord> {
  const { name, baseUrl, tls } = session.target;
  const judging = inProcess(session, { strict: premises.strict, atOnce, signal, replayPathOf, observed });
  return recordRun(judging, checks, {
    target: { name, baseUrl, ...(tls?.insecure === true ? { insecure: true } : {}) },
    ...premises,
    seed: session.seed,
    now: session.clock.now,
  });
}

function inProcess(
  session: Session,
  {
    atOnce = checksAtOnce,
    signal,
    strict = false,
    replayPathOf = () => undefined,
    observed = true,
  }: Manner & { readonly strict?: boolean | undefined },
): Judging {
  const { clock, target } = session;
  const redactor = redactorOf(target);
  const isAborted = () => signal?.aborted === true;
  const aborted = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));

  return async (checks, onCheck) => {
    async function judgeOne(check: Check<string>, alone: Alone): Promise<void> {
      const startedAt = clock.now();
      const verdict = await judge(check, session, { replayPath: replayPathOf(check), alone });
      if (isAborted()) return; // An interrupted check proves nothing.
      const record = checkRecord(check, verdict, clock.now() - startedAt, {
        target,
        redactor,
        strict,
        isRepetition: (exchange) => isRepetition(session, exchange),
      });
      onCheck(record, session.sender.sent());
    }

    await Promise.race([inTurn(checks, atOnce, judgeOne, isAborted, session.slots), aborted]);
    return {
      requests: session.sender.sent(),
      observations: observed ? session.observations().map((each) => observationRecord(each, target, redactor)) : [],
      usedUp: usedUpRecord(usedUp(session)),
      problems: [],
      interrupted: isAborted(),
    };
  };
}
