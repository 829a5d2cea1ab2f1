import type { Exchange } from '../../core/exchange.ts';
import type { Check } from '../../engine/check.ts';
import type { Deadline } from './deadline.ts';
import { type Alone, checksAtOnce, inOrder, inTurn } from './in-turn.ts';
import { judge } from './judge.ts';
import { redactorOf } from '../../core/redaction/redact.ts';
import { isRepetition } from '../../engine/session/repeated-keys.ts';
import type { Session } from '../../engine/session/session.ts';
import { type UsedUp, usedUp } from '../../engine/session/used-up.ts';
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

/** The tests that were defined together, and whether each is to run. */
type Group = { readonly tasks: readonly { readonly name: string; readonly mode: string }[] };

/**
 * The part of vitest that the suite uses. The caller passes it in, because a project that embeds the suite runs tests with its
 * own copy, and only that copy can define tests.
 */
export type Vitest = {
  readonly test: (
    name: string,
    options: { readonly timeout: number; readonly retry: number; readonly concurrent: boolean },
    run: (context: {
      readonly task: { readonly meta: object; readonly file: Group; readonly suite?: Group | undefined };
      readonly skip: (reason?: string) => never;
      readonly signal?: AbortSignal;
    }) => unknown,
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
  /** When the time of the run is over; without one, every check gets its verdict. */
  readonly deadline?: Deadline | undefined;
};

/** A check on a slow and limited target may wait long for its turn, but not forever. */
const testTimeoutMs = 60 * 60 * 1000;

/**
 * One test for each check. The first test starts the run of all of them, and each awaits its verdict: it passes, fails or is
 * skipped accordingly, and holds the verdict in its meta. No output holds a key.
 */
export function defineTests(
  { test }: Pick<Vitest, 'test'>,
  checks: readonly Check<string>[],
  session: Session,
  { strict, deadline }: Manner,
): void {
  const redactor = redactorOf(session.target);
  const options = {
    target: session.target,
    redactor,
    strict,
    isRepetition: (exchange: Exchange) => isRepetition(session, exchange),
  };
  let observed = 0;

  function newObservations(): ObservationRecord[] {
    const fresh = session.observations().slice(observed);
    observed += fresh.length;
    return fresh.map((observation) => observationRecord(observation, session.target, redactor));
  }

  async function report(check: Check<string>, alone: Alone): Promise<Reported> {
    const startedAt = performance.now();
    const judged = () => judge(check, session, { alone });
    const verdict = await (deadline?.judgeInTime(check, judged) ?? judged());
    const record = checkRecord(check, verdict, performance.now() - startedAt, options);
    return { check: record, requests: session.sender.sent(), observations: newObservations(), usedUp: usedUp(session) };
  }

  const reports = new Map(checks.map((check) => [check.title, Promise.withResolvers<Reported>()]));
  let begun = false;
  let isAborted = false;

  /** Judges the checks whose tests vitest runs. Its own order would not let two phases run side by side. */
  function begin({ tasks }: Group): void {
    begun = true;
    const chosen = new Set(tasks.filter(({ mode }) => mode !== 'skip' && mode !== 'todo').map(({ name }) => name));
    const selected = checks.filter(({ title }) => chosen.has(title));
    const run = async (check: Check<string>, alone: Alone): Promise<void> => {
      const made = report(check, alone);
      reports.get(check.title)?.resolve(made);
      await Promise.allSettled([made]);
    };
    void inTurn(selected, checksAtOnce, run, () => isAborted, session.slots);
  }

  // Set for each test, because a project may have other defaults. A retry would hide the result of the first try.
  const settings = { timeout: testTimeoutMs, retry: 0, concurrent: true };
  for (const { title } of inOrder(checks)) {
    test(title, settings, async ({ task, skip, signal }) => {
      signal?.addEventListener('abort', () => (isAborted = true), { once: true });
      if (!begun) begin(task.suite ?? task.file);
      const reported = await reports.get(title)?.promise;
      if (reported === undefined) throw new Error(`no verdict for ${title}`);
      Object.assign(task.meta, { awc: reported });
      conclude(reported.check, skip);
    });
  }
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
