import { areaOf, areasOf } from '../record/areas.ts';
import { countStandings } from '../record/count-standings.ts';
import type { CheckRecord, RunRecord, WaiverRecord } from '../record/record.ts';
import { safeJson } from '../text/safe-json.ts';
import { type Standing, standingOf } from '../record/standing.ts';
import { statusLine } from '../text/status-line.ts';
import { waiverProblem } from '../record/waiver-problem.ts';
import { waiverSentence } from '../record/waiver-sentence.ts';

/** CTRF knows no warning and no waiver: `other` reads neither as green nor as red. What came to no verdict must not read as green. */
const statuses = {
  passed: 'passed',
  failed: 'failed',
  warned: 'other',
  blocked: 'skipped',
  errored: 'failed',
  waived: 'other',
} as const satisfies Readonly<Record<Standing, string>>;

/** The run in the Common Test Report Format, a test a check; `rawStatus` is how it stands. Each waiver is a test as well. */
export function renderCtrf(record: RunRecord): string {
  const { suite, spec, target, result, seed, checks, waivers, startedAt, durationMs } = record;
  const { passed, failed, warned, blocked, errored, waived } = countStandings(checks);
  const outdated = waivers.filter((waiver) => waiverProblem(waiver) !== undefined).length;
  const start = Date.parse(startedAt);
  const counts = {
    tests: checks.length + waivers.length,
    passed: passed + waivers.length - outdated,
    failed: failed + errored + outdated,
    skipped: blocked,
    pending: 0,
    other: warned + waived,
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
        suites: areasOf(checks).length + (waivers.length === 0 ? 0 : 1),
        start,
        stop: Math.round(start + durationMs),
        duration: Math.round(durationMs),
        extra: { result, seed },
      },
      tests: [...checks.map(testOf), ...waivers.map(waiverTest)],
      environment: { appName: target.name, testEnvironment: target.baseUrl, extra: { spec } },
    },
  });
}

function testOf(check: CheckRecord) {
  const { id, title, durationMs, level, requirement, operation, curl } = check;
  const message = messageOf(check);
  const standing = standingOf(check);
  return {
    testId: id,
    name: title,
    status: statuses[standing],
    rawStatus: standing,
    duration: Math.round(durationMs),
    suite: [areaOf(id)],
    labels: { requirement, level, operation },
    ...(message === undefined ? {} : { message }),
    ...(check.exchanges.length === 0 ? {} : { trace: check.exchanges.map(statusLine).join('\n') }),
    ...(curl === undefined ? {} : { snippet: curl }),
  };
}

function waiverTest(waiver: WaiverRecord) {
  const problem = waiverProblem(waiver);
  return {
    name: `waiver of ${waiver.waives}`,
    status: problem === undefined ? 'passed' : 'failed',
    rawStatus: waiver.state,
    duration: 0,
    suite: ['waivers'],
    message: problem ?? waiverSentence(waiver),
  };
}

function messageOf({ reason, expected, actual, counterexample, waived }: CheckRecord): string | undefined {
  if (expected === undefined) return reason;
  const values = counterexample === undefined ? '' : `\nvalues ${counterexample.values}`;
  const excuse = waived === undefined ? '' : `\n${waiverSentence(waived)}`;
  return `expected ${expected}\ngot ${actual ?? 'nothing'}${values}${excuse}`;
}
