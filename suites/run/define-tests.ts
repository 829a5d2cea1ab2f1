import { type Check, phases } from '../../engine/check.ts';
import { judge } from './judge.ts';
import { redactorOf } from '../../core/redact.ts';
import type { Session } from '../../engine/session/session.ts';
import { type UsedUp, usedUp } from '../../engine/session/used-up.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { checkRecord } from '../../reports/record/check-record.ts';
import { observationRecord } from '../../reports/record/observation-record.ts';
import type { CheckRecord, ObservationRecord } from '../../reports/record/record.ts';
import type { RunPlan } from '../plan.ts';

/** What a test reports in its meta. */
export type Reported = {
  readonly check: CheckRecord;
  /** Requests that the run has sent so far. */
  readonly requests: number;
  /** The observations since the previous test. */
  readonly observations: readonly ObservationRecord[];
  /** What the run has used up so far. */
  readonly usedUp: UsedUp;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** The run that the entry of the suite executes. */
    awc: RunPlan;
  }
  interface TaskMeta {
    awc?: Reported;
  }
}

/**
 * The part of vitest that the suite uses. The caller passes it in, because a project that embeds the suite runs tests with its
 * own copy, and only that copy can define tests.
 */
export type Vitest = {
  readonly test: (
    name: string,
    options: { readonly timeout: number; readonly retry: number; readonly concurrent: boolean },
    run: (context: { readonly task: { readonly meta: object }; readonly skip: (reason?: string) => never }) => unknown,
  ) => void;
  readonly describe: (
    name: string,
    options: { readonly shuffle: boolean; readonly concurrent: boolean },
    define: () => void,
  ) => void;
  readonly afterAll: (run: () => void) => void;
};

type Manner = {
  /** Whether a violated should counts as failed. */
  readonly strict: boolean;
  /** Called when a check has its turn; returns why it is left out, or undefined. */
  readonly leaveOut?: ((check: Check<string>) => string | undefined) | undefined;
  /** Resolves to the reason why a check that is still running gets no verdict, for those of the phase `last` and the others. */
  readonly isOver?: Readonly<Record<'usual' | 'last', Promise<string>>> | undefined;
};

/** A check on a slow and limited target may wait long for its turn, but not forever. */
const testTimeoutMs = 60 * 60 * 1000;

/**
 * One test for each check, in the order of the phases: those that run together first. A test passes, fails or is skipped
 * according to its verdict, which it holds in its meta. No output holds a key.
 */
export function defineTests(
  { test }: Pick<Vitest, 'test'>,
  checks: readonly Check<string>[],
  session: Session,
  { strict, leaveOut = () => undefined, isOver }: Manner,
): void {
  const redactor = redactorOf(session.target);
  const options = { target: session.target, redactor, strict };
  let observed = 0;

  function newObservations(): ObservationRecord[] {
    const fresh = session.observations().slice(observed);
    observed += fresh.length;
    return fresh.map((observation) => observationRecord(observation, session.target, redactor));
  }

  function judgeInTime(check: Check<string>): Promise<Verdict> {
    const judged = judge(check, session);
    const over = isOver?.[check.phase === 'last' ? 'last' : 'usual'];
    return over === undefined ? judged : Promise.race([judged, over.then(withoutVerdict)]);
  }

  for (const phase of phases) {
    for (const check of checks.filter((one) => one.phase === phase)) {
      // Set for each test, because a project may have other defaults. A retry would hide the result of the first try.
      const manner = { timeout: testTimeoutMs, retry: 0, concurrent: phase === 'together' };
      test(check.title, manner, async ({ task, skip }) => {
        const startedAt = performance.now();
        const reason = leaveOut(check);
        const verdict = reason === undefined ? await judgeInTime(check) : withoutVerdict(reason);
        const record = checkRecord(check, verdict, performance.now() - startedAt, options);
        const reported: Reported = {
          check: record,
          requests: session.sender.sent(),
          observations: newObservations(),
          usedUp: usedUp(session),
        };
        Object.assign(task.meta, { awc: reported });
        conclude(record, skip);
      });
    }
  }
}

function withoutVerdict(reason: string): Verdict {
  return { kind: 'blocked', reason, evidence: [] };
}

/** Lets the test end as the check did. */
function conclude(record: CheckRecord, skip: (reason: string) => never): void {
  const { verdict, reason = '', expected = '', actual = '', curl } = record;
  switch (verdict) {
    case 'passed':
      return;
    case 'blocked':
      return skip(reason);
    case 'warned':
      return skip(`warned: expected ${expected}; got ${actual}`);
    case 'errored':
      throw new CheckFailed(reason);
    case 'failed':
      throw new CheckFailed([`expected ${expected}`, `got      ${actual}`, curl].filter(Boolean).join('\n'));
  }
}

/** An error without a stack, because the place in the suite does not help the reader. */
class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  override readonly stack = '';
}
