import { noWaivers } from './waivers.ts';
import { expect, test } from 'vitest';
import { check, type Check } from '../../engine/check.ts';
import { ownCheck } from '../../engine/own-check.ts';
import { buildRecord, type RunFacts } from './build.ts';
import { exitCode } from './exit-code.ts';
import type { CheckRecord } from './record.ts';

const must = check('paging.limit', { on: 'listModels' }, async () => {});
const sibling = check('paging.limit', { on: 'listDataSources' }, async () => {});
const should = check('paging.limit-refused', { on: 'listModels' }, async () => {});

const own = ownCheck('own.promise', { on: 'listModels', sentence: 'It is so.' }, async () => {});

const facts: RunFacts = {
  target: { name: 'T', baseUrl: 'http://x' },
  seed: 1,
  strict: false,
  only: ['*'],
  startedAt: 0,
  durationMs: 1.5,
  requests: 2,
  observations: [],
  notes: [],
  problems: [],
  interrupted: false,
  waivers: noWaivers,
};

type Outcome = Pick<CheckRecord, 'verdict' | 'reason' | 'fault'>;
const passed: Outcome = { verdict: 'passed' };
const failed: Outcome = { verdict: 'failed' };
const warned: Outcome = { verdict: 'warned' };
const blocked: Outcome = { verdict: 'blocked', reason: 'needs chats' };
const silent: Outcome = { verdict: 'errored', fault: 'target', reason: 'no answer' };
const gone: Outcome = { verdict: 'blocked', fault: 'target', reason: 'it stopped answering' };
const broken: Outcome = { verdict: 'errored', fault: 'suite', reason: 'a bug' };

function done({ id, requirement, operation, level, title }: Check<string>, outcome: Outcome): CheckRecord {
  return { id, requirement, operation, level, title, exchanges: [], durationMs: 1, ...outcome };
}

function recordOf(outcomes: readonly [Outcome, Outcome, Outcome], changed: Partial<RunFacts> = {}) {
  const all = [must, sibling, should];
  const [first, second, third] = outcomes;
  return buildRecord(all, all, [done(must, first), done(sibling, second), done(should, third)], {
    ...facts,
    ...changed,
  });
}

test.each([
  ['all passed', [passed, passed, passed], 'conformant', 0, 0],
  ['a should warned', [passed, passed, warned], 'conformant', 0, 0],
  ['a should blocked', [passed, passed, blocked], 'conformant', 0, 0],
  ['a must failed', [passed, failed, passed], 'nonconformant', 1, 1],
  ['a must failed among everything else', [failed, broken, blocked], 'nonconformant', 1, 1],
  ['a must blocked', [passed, blocked, passed], 'incomplete', 4, 0],
  ['no answer to a must', [passed, silent, blocked], 'errored', 4, 4],
  ['no answer to a should', [passed, passed, silent], 'errored', 4, 4],
  ['the suite failed', [silent, broken, passed], 'errored', 5, 5],
  ['the target gone', [passed, gone, passed], 'no-verdict', 3, 3],
  ['the target gone for a should', [passed, passed, gone], 'no-verdict', 3, 3],
  ['the target gone after no answer', [silent, gone, gone], 'no-verdict', 3, 3],
  ['the target gone after a violation', [failed, gone, gone], 'nonconformant', 1, 1],
  ['the target gone, and a fault of the suite', [broken, gone, gone], 'errored', 5, 5],
] as const)('with %s', (_what, outcomes, result, code, codeWhenAllowed) => {
  const record = recordOf(outcomes);
  expect(record.result).toBe(result);
  expect([exitCode(record, false), exitCode(record, true)]).toEqual([code, codeWhenAllowed]);
});

test.each([
  ['leaves the promise to the check that was exercised', passed, blocked, 'passed', 'conformant'],
  ['does not stand for the check that was not', blocked, blocked, 'blocked', 'incomplete'],
  ['is exercised alone where only it could be', blocked, passed, 'blocked', 'incomplete'],
  ['fails the promise', passed, failed, 'failed', 'nonconformant'],
] as const)('an extended check %s', (_what, usual, more, verdict, result) => {
  const extended = check('attach.count', { variant: 'at-once', extended: true }, async () => {});
  const plain = check('attach.count', async () => {});
  const all = [plain, extended];
  const record = buildRecord(all, all, [done(plain, usual), done(extended, more)], {
    ...facts,
    only: ['attach.count'],
  });
  expect(record.requirements.find(({ id }) => id === 'attach.count')?.verdict).toBe(verdict);
  expect(record.result).toBe(result);
});

test('a run that exercised nothing is never green', () => {
  const record = buildRecord([should], [should], [done(should, blocked)], facts);
  expect([record.result, exitCode(record, false), exitCode(record, true)]).toEqual(['incomplete', 4, 4]);
});

test('a fault of the suite outside of any check leaves no green run', () => {
  const record = recordOf([passed, passed, passed], { problems: ['the worker ended'] });
  expect([record.result, exitCode(record, true)]).toEqual(['errored', 5]);
});

test('an interrupted run says so, and what it did not come to is blocked', () => {
  const all = [must, sibling];
  const record = buildRecord(all, all, [done(must, passed)], { ...facts, interrupted: true });
  expect([record.result, exitCode(record, true)]).toEqual(['interrupted', 130]);
  expect(record.checks[1]).toMatchObject({
    id: sibling.id,
    verdict: 'blocked',
    reason: 'not run: the run was interrupted',
  });
});

test('a check without a verdict is never green', () => {
  const record = buildRecord([must], [must], [], facts);
  expect([record.result, record.checks[0]?.verdict]).toEqual(['incomplete', 'blocked']);
});

test('a requirement is as good as the worst of its checks, with its reason', () => {
  const found = (outcomes: readonly [Outcome, Outcome, Outcome]) =>
    recordOf(outcomes).requirements.find(({ id }) => id === 'paging.limit');
  expect(found([passed, blocked, passed])).toMatchObject({ verdict: 'blocked', reason: 'needs chats' });
  expect(found([blocked, failed, passed])).toMatchObject({ verdict: 'failed', checks: [must.id, sibling.id] });
  expect(found([blocked, silent, passed])).toMatchObject({ verdict: 'errored', reason: 'no answer' });
});

test('requirements without a check are blocked in a whole run; unobservable and unselected ones have their own verdict', () => {
  const verdictOf = (only: readonly string[], wanted: string) =>
    recordOf([passed, passed, passed], { only: [...only] }).requirements.find(({ id }) => id === wanted)?.verdict;
  expect(verdictOf([], 'models.columns')).toBe('blocked');
  expect(verdictOf(['paging.*'], 'models.columns')).toBe('unselected');
  expect(verdictOf([], 'auth.key-life')).toBe('unobservable');
});

test.each([
  ['kept', passed, passed, 'conformant', 0, 0],
  ['broken', passed, failed, 'conformant', 1, 1],
  ['not exercised', passed, blocked, 'conformant', 4, 0],
  ['without an answer', passed, silent, 'conformant', 4, 4],
  ['judged by a broken check', passed, broken, 'conformant', 5, 5],
  ['broken, like the specification', failed, failed, 'nonconformant', 1, 1],
  ['kept, unlike the specification', failed, passed, 'nonconformant', 1, 1],
] as const)(
  'an own promise that is %s fails the run, and not the deployment',
  (_what, first, outcome, result, code, lax) => {
    const all = [must, own];
    const record = buildRecord(all, all, [done(must, first), done(own, outcome)], facts);
    expect(record.result).toBe(result);
    expect([exitCode(record, false), exitCode(record, true)]).toEqual([code, lax]);
    expect(record.requirements.at(-1)).toMatchObject({
      id: own.id,
      section: 'own',
      sentence: 'It is so.',
      checks: [own.id],
    });
  },
);

test.each([
  ['kept', passed, 0],
  ['broken', failed, 1],
  ['not exercised', blocked, 4],
] as const)('a run of own checks alone shows nothing of the deployment: with one %s', (_what, outcome, code) => {
  const record = buildRecord([own], [own], [done(own, outcome)], facts);
  expect([record.result, exitCode(record, false)]).toEqual(['incomplete', code]);
});

test('a run in which only an own check got no answer has no verdict either', () => {
  const record = buildRecord([must, own], [must, own], [done(must, passed), done(own, gone)], facts);
  expect([record.result, exitCode(record, true)]).toEqual(['no-verdict', 3]);
});
