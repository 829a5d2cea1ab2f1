import type { Reporter, TestCase } from 'vitest/node';
import type { Check } from '../harness/check.ts';
import type { Redactor } from '../harness/redact.ts';
import { shown } from '../harness/text.ts';
import type { CheckRecord, ObservationRecord } from '../reports/record.ts';
import type {} from '../suites/bridge.ts';

/** What came out of a run of vitest, growing while it runs. */
export type Collected = {
  readonly reporter: Reporter;
  readonly checks: CheckRecord[];
  readonly observations: ObservationRecord[];
  /** What went wrong outside of any check. */
  readonly problems: string[];
  readonly requests: () => number;
};

/** Who is told what comes out, as it does. */
export type Listener = {
  readonly onCheck: (check: CheckRecord, requests: number) => void;
  readonly onObservation: (observation: ObservationRecord) => void;
};

/** Listens to the tests of the entry. A test that ends without telling a verdict is a fault of the suite. */
export function collectVerdicts(selected: readonly Check[], redactor: Redactor, listener: Listener): Collected {
  const byTitle = new Map(selected.map((check) => [check.title, check]));
  const checks: CheckRecord[] = [];
  const observations: ObservationRecord[] = [];
  const problems: string[] = [];
  let requests = 0;

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
      requests = Math.max(requests, told.requests);
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
  return { reporter, checks, observations, problems, requests: () => requests };
}

function withoutVerdict(check: Check, reason: string, durationMs: number): CheckRecord {
  const { id, requirement, operation, level, title } = check;
  const common = { id, requirement, operation, level, title, durationMs };
  return { ...common, verdict: 'errored', fault: 'suite', reason, exchanges: [] };
}
