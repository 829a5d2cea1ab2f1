import type { Reporter, TestCase } from 'vitest/node';
import type { Check } from '../../engine/check.ts';
import type { Redactor } from '../../core/redaction/redact.ts';
import { shown } from '../../core/text.ts';
import type { UsedUp } from '../../engine/session/used-up.ts';
import type { CheckRecord, ObservationRecord } from '../../reports/record/record.ts';
import { usedUpRecord } from '../../reports/record/used-up-record.ts';
// The type of a test's meta.
import type {} from '../../suites/run/define-tests.ts';
import type { OnCheck, Outcome } from '../../suites/run/run-suite.ts';

/** The results of a vitest run, which grow while it runs. */
type Collected = {
  readonly reporter: Reporter;
  readonly outcome: () => Omit<Outcome, 'interrupted'>;
};

export type Listener = {
  readonly onCheck: OnCheck;
  readonly onObservation: (observation: ObservationRecord) => void;
};

/** Listens to the tests of the entry. A test that ends without reporting a verdict is a fault of the suite. */
export function collectVerdicts(selected: readonly Check<string>[], redactor: Redactor, listener: Listener): Collected {
  const byTitle = new Map(selected.map((check) => [check.title, check]));
  const observations: ObservationRecord[] = [];
  const problems: string[] = [];
  let requests = 0;
  let usedUp: UsedUp | undefined;

  function messageOf(error: { readonly message?: string } | undefined): string {
    return shown(redactor.text(error?.message ?? 'unknown'), 2000);
  }

  function onTestCaseResult(testCase: TestCase): void {
    const reported = testCase.meta().awc;
    const result = testCase.result();
    if (reported !== undefined) {
      if (reported.requests >= requests) ({ requests, usedUp } = reported);
      observations.push(...reported.observations);
      reported.observations.forEach(listener.onObservation);
      listener.onCheck(reported.check, requests);
    } else if (result.state === 'failed') {
      const check = byTitle.get(testCase.name);
      const reason = `the test ended without a verdict: ${messageOf(result.errors[0])}`;
      if (check === undefined) problems.push(reason);
      else listener.onCheck(withoutVerdict(check, reason, testCase.diagnostic()?.duration ?? 0), requests);
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
  return {
    reporter,
    outcome: () => ({
      requests,
      observations,
      problems,
      ...(usedUp === undefined ? {} : { usedUp: usedUpRecord(usedUp) }),
    }),
  };
}

function withoutVerdict(check: Check<string>, reason: string, durationMs: number): CheckRecord {
  const { id, requirement, operation, level, title } = check;
  const common = { id, requirement, operation, level, title, durationMs };
  return { ...common, verdict: 'errored', fault: 'suite', reason, exchanges: [] };
}
