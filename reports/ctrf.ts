import { areaOf, areasOf } from './areas.ts';
import { countVerdicts } from './count-verdicts.ts';
import type { CheckRecord, CheckVerdict, RunRecord } from './record.ts';
import { safeJson } from './safe-json.ts';
import { statusLine } from './status-line.ts';

/** CTRF knows no warning: `other` reads neither as green nor as red. What came to no verdict must not read as green. */
const statuses = {
  passed: 'passed',
  failed: 'failed',
  warned: 'other',
  blocked: 'skipped',
  errored: 'failed',
} as const satisfies Readonly<Record<CheckVerdict, string>>;

/** The run in the Common Test Report Format, a test a check; `rawStatus` is its verdict. */
export function renderCtrf(record: RunRecord): string {
  const { suite, spec, target, result, seed, checks, startedAt, durationMs } = record;
  const { passed, failed, warned, blocked, errored } = countVerdicts(checks);
  const start = Date.parse(startedAt);
  const counts = {
    tests: checks.length,
    passed,
    failed: failed + errored,
    skipped: blocked,
    pending: 0,
    other: warned,
  };
  return safeJson({
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    timestamp: new Date(start + durationMs).toISOString(),
    generatedBy: `${suite.name} ${suite.version}`,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        ...counts,
        suites: areasOf(checks).length,
        start,
        stop: Math.round(start + durationMs),
        duration: Math.round(durationMs),
        extra: { result, seed },
      },
      tests: checks.map(testOf),
      environment: { appName: target.name, testEnvironment: target.baseUrl, extra: { spec } },
    },
  });
}

function testOf(check: CheckRecord) {
  const { id, title, verdict, durationMs, level, requirement, operation, curl } = check;
  const message = messageOf(check);
  return {
    testId: id,
    name: title,
    status: statuses[verdict],
    rawStatus: verdict,
    duration: Math.round(durationMs),
    suite: [areaOf(id)],
    labels: { requirement, level, operation },
    ...(message === undefined ? {} : { message }),
    ...(check.exchanges.length === 0 ? {} : { trace: check.exchanges.map(statusLine).join('\n') }),
    ...(curl === undefined ? {} : { snippet: curl }),
  };
}

function messageOf({ reason, expected, actual, counterexample }: CheckRecord): string | undefined {
  if (expected === undefined) return reason;
  const values = counterexample === undefined ? '' : `\nvalues ${counterexample.values}`;
  return `expected ${expected}\ngot ${actual ?? 'nothing'}${values}`;
}
