import type { Reporter, TestCase } from 'vitest/node';
import type { Check } from '../../engine/check.ts';
import type { Redactor } from '../../core/redact.ts';
import { shown } from '../../core/text.ts';
import type { UsedUp } from '../../engine/session/used-up.ts';
import type { CheckRecord, ObservationRecord } from '../../reports/record/record.ts';
import type {} from '../../suites/run/bridge.ts';

/** What came out of a run of vitest, growing while it runs. */
export type Collected = {
  readonly reporter: Reporter;
  readonly checks: CheckRecord[];
  readonly observations: ObservationRecord[];
  /** What went wrong outside of any check. */
  readonly problems: string[];
  readonly requests: () => number;
  /** What the run had used up when the last test told; undefined while none has. */
  readonly usedUp: () => UsedUp | undefined;
};

/** Who is told what comes out, as it does. */
export type Listener = {
  readonly onCheck: (check: CheckRecord, requests: number) => void;
  readonly onObservation: (observation: ObservationRecord) => void;
};

/** Listens to the tests of the entry. A test that ends without telling a verdict is a fault of the suite. */
export function collectVerdicts(selected: readonly Check<string>[], redactor: Redactor, listener: Listener): Collected {
  const byTitle = new Map(selected.map((check) => [check.title, check]));
  const checks: CheckRecord[] = [];
  const observations: ObservationRecord[] = [];
  const problems: string[] = [];
  let requests = 0;
  let usedUp: UsedUp | undefined;

  function add(check: CheckRecord): void {
    checks.push(check);
    listener.onCheck(check, requests);
  }

  function messageOf(error: { readonly message?: string } | undefined): string {
    return shown(redactor.text(error?.message ?? 'unknown'), 2000);
  }

  function onTestCaseResult(testCase: TestCase): void {
    const told = testCase.meta().awc;
    const result = testCase.result();
    if (told !== undefined) {
      if (told.requests >= requests) ({ requests, usedUp } = told);
      observations.push(...told.observations);
      for (const observation of told.observations) listener.onObservation(observation);
      add(told.check);
    } else if (result.state === 'failed') {
      const check = byTitle.get(testCase.name);
      const reason = `the test ended without a verdict: ${messageOf(result.errors[0])}`;
      if (check === undefined) problems.push(reason);
      else add(withoutVerdict(check, reason, testCase.diagnostic()?.duration ?? 0));
    }
  }

  const reporter: Reporter = {
    onTestCaseResult,
    onTestRunEnd(modules, unhandledErrors) {
      for (const error of [...modules.flatMap((module) => module.errors()), ...unhandledErrors]) {
        problems.push(messageOf(error));
      }
    },
  };
  return { reporter, checks, observations, problems, requests: () => requests, usedUp: () => usedUp };
}

function withoutVerdict(check: Check<string>, reason: string, durationMs: number): CheckRecord {
  const { id, requirement, operation, level, title } = check;
  const common = { id, requirement, operation, level, title, durationMs };
  return { ...common, verdict: 'errored', fault: 'suite', reason, exchanges: [] };
}
