/** Records for the tests of the renderers: one of a run in which everything happened, with hostile text in every place. */
import type { CheckRecord, ExchangeRecord, RunRecord, Waiver } from '../../reports/record/record.ts';

/** Markup, escape codes, bidirectional controls, a null, half a surrogate pair, quotes, and the end of CDATA. */
export const hostile = '<b onload="x">&amp;\u001b[31m\u202eEVIL\u0000\ud800 \'"`$(id)` ]]> \r\n\ufffe';

const exchange: ExchangeRecord = {
  operation: 'listModels',
  caller: hostile,
  request: {
    method: 'GET',
    url: `https://example.test/${hostile}`,
    headers: { authorization: 'Bearer $AWC_KEY_ALICE' },
  },
  sentAt: '2026-01-15T12:00:00.000Z',
  durationMs: 12.5,
  outcome: {
    kind: 'answered',
    status: 200,
    headers: { [hostile]: hostile },
    body: { text: hostile, bytes: 100_000, cut: true, escaped: false },
  },
};

const common = { operation: 'listModels', level: 'must', durationMs: 5 } as const;

/** A check of each verdict. */
export const checks: readonly CheckRecord[] = [
  {
    ...common,
    id: 'auth.no-key/listModels',
    requirement: 'auth.no-key',
    title: 'auth.no-key/listModels: A sentence.',
    verdict: 'passed',
    exchanges: [],
  },
  {
    ...common,
    id: 'paging.limit/listModels',
    requirement: 'paging.limit',
    title: 'paging.limit/listModels: A page holds limit items.',
    verdict: 'failed',
    expected: `a page of 2 ${hostile}`,
    actual: hostile,
    counterexample: { seed: 1, path: '0:1', values: hostile },
    exchanges: [exchange],
    curl: `curl 'https://example.test/'`,
  },
  {
    ...common,
    id: 'paging.limit-refused/listModels',
    requirement: 'paging.limit-refused',
    level: 'should',
    title: 'paging.limit-refused/listModels: A sentence.',
    verdict: 'warned',
    expected: '4xx',
    actual: '200',
    exchanges: [],
  },
  {
    ...common,
    id: 'paging.default-limit/listModels',
    requirement: 'paging.default-limit',
    title: 'paging.default-limit/listModels: A sentence.',
    verdict: 'blocked',
    reason: `needs 51 items ${hostile}`,
    exchanges: [],
  },
  {
    ...common,
    id: 'models.columns',
    requirement: 'models.columns',
    title: 'models.columns: A sentence.',
    verdict: 'errored',
    fault: 'target',
    reason: hostile,
    exchanges: [{ ...exchange, outcome: { kind: 'failed', failure: 'timeout', message: hostile } }],
  },
];

/** A run that ended with these checks. */
export function sampleRecord(changed: Partial<RunRecord> = {}): RunRecord {
  return {
    format: 'awc-report/1',
    suite: { name: 'suite', version: '1.2.3' },
    spec: { title: 'Spec', version: '0.0.0', digest: 'sha256:0' },
    target: { name: hostile, baseUrl: 'https://example.test' },
    seed: 7,
    strict: false,
    only: [],
    startedAt: '2026-01-15T12:00:00.000Z',
    durationMs: 3210,
    requests: 42,
    result: 'nonconformant',
    summary: { passed: 1, failed: 1, warned: 1, blocked: 1, errored: 1, waived: 0 },
    checks: [...checks],
    requirements: checks.map(({ requirement, level, verdict, id }) => ({
      id: requirement,
      section: '4.1',
      level,
      sentence: 'A sentence.',
      verdict,
      checks: [id],
    })),
    observations: [{ point: 'errors.titles', value: hostile, exchange }],
    waivers: [],
    notes: [`A note ${hostile}`],
    problems: [],
    ...changed,
  };
}

/** The same run on a target that stopped answering. */
export function goneRecord(): RunRecord {
  const ended = checks.map((check): CheckRecord =>
    check.verdict === 'blocked' ? { ...check, fault: 'target' } : check,
  );
  return sampleRecord({ result: 'no-verdict', checks: ended });
}

const waiver: Waiver = {
  waives: 'paging.limit/listModels',
  reason: `The gateway is older. ${hostile}`,
  owner: `Team Gateway ${hostile}`,
  link: `https://issues.example.test/${hostile}`,
  expires: '2026-12-31',
};

/** The same run with its violation waived, and with two more waivers, which are out of date. */
export function waivedRecord(): RunRecord {
  const record = sampleRecord({
    checks: checks.map((check) => (check.verdict === 'failed' ? { ...check, waived: waiver } : check)),
    summary: { passed: 1, failed: 0, warned: 1, blocked: 1, errored: 1, waived: 1 },
    result: 'waived',
    waivers: [
      { ...waiver, state: 'applied', checks: ['paging.limit/listModels'] },
      { ...waiver, waives: 'auth.no-key', state: 'stale', checks: ['auth.no-key/listModels'] },
      { ...waiver, waives: 'models.columns', state: 'expired', checks: ['models.columns'] },
    ],
  });
  const requirements = record.requirements.map((requirement) =>
    requirement.verdict === 'failed' ? { ...requirement, verdict: 'waived' as const } : requirement,
  );
  return { ...record, requirements };
}
