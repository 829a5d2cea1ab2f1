import { areaName, areasOf } from '../record/areas.ts';
import { type CheckStatus, countStatuses, goneTitle, isGone, statusOf } from '../record/check-status.ts';
import { type Exception, exceptionsOf, gapSentence, waiverSentence } from '../record/waivers.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { resultWord, verdictSentence } from '../record/verdict-sentence.ts';
import { safeJson } from '../text/safe-json.ts';
import { statusLine } from '../text/check-text.ts';
import { checkNote } from '../text/curl-note.ts';

/** CTRF has no warning and no waiver: `other` is neither green nor red. A check without a verdict must not be green. */
const statuses = {
  passed: 'passed',
  failed: 'failed',
  warned: 'other',
  blocked: 'skipped',
  errored: 'failed',
  waived: 'other',
  accepted: 'other',
} as const satisfies Readonly<Record<CheckStatus, string>>;

/** The last instant that a date can have, in milliseconds since the epoch: a report from elsewhere can hold any duration. */
const latestMs = 8.64e15;

/** The run in the Common Test Report Format: a test for each check and each waiver. `rawStatus` is the status of the check. */
export function renderCtrf(record: RunRecord): string {
  const { suite, spec, target, result, seed, checks, startedAt, durationMs } = record;
  const { passed, failed, warned, blocked, errored, waived, accepted } = countStatuses(checks);
  const known = exceptionsOf(record).map(exceptionTest);
  const outdated = known.filter(({ status }) => status === 'failed').length;
  const gone = isGone(checks) ? [goneTest(record)] : [];
  const start = Date.parse(startedAt);
  const counts = {
    tests: checks.length + known.length + gone.length,
    passed: passed + known.length - outdated,
    failed: failed + errored + outdated + gone.length,
    skipped: blocked,
    pending: 0,
    other: warned + waived + accepted,
  };
  return safeJson({
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    timestamp: new Date(Math.min(start + durationMs, latestMs)).toISOString(),
    generatedBy: `${suite.name} ${suite.version}`,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        ...counts,
        suites: areasOf(checks).length + (known.length === 0 ? 0 : 1) + gone.length,
        start,
        stop: Math.round(start + durationMs),
        duration: Math.round(durationMs),
        extra: { result, seed },
      },
      tests: [...checks.map((check) => testOf(record, check)), ...known, ...gone],
      environment: { appName: target.name, testEnvironment: target.baseUrl, extra: { spec } },
    },
  });
}

function testOf(record: RunRecord, check: CheckRecord) {
  const { id, title, durationMs, level, requirement, operation, curl } = check;
  const message = messageOf(check);
  const status = statusOf(check);
  const note = checkNote(record, check);
  return {
    testId: id,
    name: title,
    status: statuses[status],
    rawStatus: status,
    duration: Math.round(durationMs),
    suite: [areaName(id)],
    labels: { requirement, level, operation },
    ...(message === undefined ? {} : { message }),
    ...(check.exchanges.length === 0 ? {} : { trace: check.exchanges.map(statusLine).join('\n') }),
    ...(curl === undefined ? {} : { snippet: note === undefined ? curl : `# ${note}\n${curl}` }),
  };
}

/** Blocked checks are skipped, which fails no pipeline. */
function goneTest(record: RunRecord) {
  const { result: rawStatus } = record;
  const message = `${resultWord(record)}: ${verdictSentence(record)}`;
  return { name: goneTitle, status: 'failed' as const, rawStatus, duration: 0, suite: ['target'], message };
}

function exceptionTest({ name, state: rawStatus, problem, sentence }: Exception) {
  const status = problem === undefined ? ('passed' as const) : ('failed' as const);
  return { name, status, rawStatus, duration: 0, suite: ['waivers'], message: problem ?? sentence };
}

function messageOf({ reason, expected, actual, counterexample, waived, accepted }: CheckRecord): string | undefined {
  if (accepted !== undefined) return `${gapSentence(accepted)}\n${reason ?? ''}`;
  if (expected === undefined) return reason;
  const values = counterexample === undefined ? '' : `\ninput ${counterexample.values}`;
  const waiver = waived === undefined ? '' : `\n${waiverSentence(waived)}`;
  return `expected ${expected}\ngot ${actual ?? 'no value'}${values}${waiver}`;
}
