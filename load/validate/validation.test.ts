import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Principal } from '../../core/target.ts';
import { billingRequest, type LoadRequest } from '../schedule/load-request.ts';
import type { Arrived } from '../engine/sockets.ts';
import { createValidationDesk } from './validation-desk.ts';
import { doJob, type Job } from './validation-job.ts';
import { startValidator } from './validator.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: [] };
const request: LoadRequest = billingRequest(alice, 'ba_1', 1000);

function arrived(body: string | Buffer, over: Partial<Arrived> = {}): Arrived {
  const bytes = Buffer.from(body);
  const half = Math.floor(bytes.length / 2);
  return {
    outcome: 200,
    headers: () => ({ 'content-type': 'application/json' }),
    body: [bytes.subarray(0, half), bytes.subarray(half)],
    ...over,
  };
}

const good = '{"data":{"id":"ba_1"}}';
const bad = '{"data":{"id":"ba_2"}}';

const atOnce = { sentAt: 0, endedAt: 10, isWarmUp: false };

/** A desk that hands its jobs out, to be settled when the test wants it. */
function desk(share = 1) {
  const jobs: Job[] = [];
  const created = createValidationDesk(share, 1, (job) => jobs.push(job));
  const settleAll = async () => {
    for (const job of jobs.splice(0)) created.settle(await doJob(job));
  };
  const offer = (to: LoadRequest, answer: Arrived, isWarmUp = false) =>
    created.offer(to, answer, { sentAt: 0, endedAt: 10, isWarmUp });
  return { ...created, offer, jobs, settleAll };
}

test('an answer that equals the last good one is good without another look', async () => {
  const { offer, jobs, settleAll, result } = desk();
  offer(request, arrived(good));
  await settleAll();
  for (let count = 0; count < 9; count += 1) offer(request, arrived(good));
  expect(jobs).toEqual([]);
  expect(result()).toMatchObject({ answers: 10, checked: 10, repeated: 9, skipped: 0, broken: 0 });
});

test('the proof of a violation is the request as it was sent, with its trace and entry point', async () => {
  const { offer, settleAll, result } = desk();
  const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: 'a3ce929d0e0e4736' };
  const sent = { ...request.request, baseUrl: 'https://node-2.test', trace };
  offer(request, arrived(bad, { sent: () => sent }));
  await settleAll();
  expect(result().violations[0]?.proofs[0]?.request).toEqual({ ...request, request: sent });
});

test('one that differs in a byte, or in the status, or is to another request, is looked at', async () => {
  const { offer, jobs, settleAll } = desk();
  offer(request, arrived(good));
  await settleAll();
  offer(request, arrived(bad));
  offer(request, arrived(`${good} `));
  offer(request, arrived(good.slice(0, -1)));
  offer(request, arrived(good, { outcome: 201 }));
  offer(billingRequest(alice, 'ba_1', 1000), arrived(good));
  expect(jobs).toHaveLength(5);
});

test('answers that equal one that is being looked at share its fate', async () => {
  const { offer, jobs, settleAll, result } = desk();
  for (let count = 0; count < 5; count += 1) offer(request, arrived(bad));
  expect(jobs).toHaveLength(1);
  await settleAll();
  offer(request, arrived(bad));
  expect(jobs).toHaveLength(1);
  await settleAll();
  const { checked, broken, violations } = result();
  expect([checked, broken]).toEqual([6, 6]);
  expect(violations).toHaveLength(1);
  expect(violations[0]).toMatchObject({ count: 6, finding: { rule: 'billing.record' } });
  expect(violations[0]?.proofs).toHaveLength(2);
});

test('answers of the warm-up are judged, and count apart', async () => {
  const { offer, settleAll, result } = desk();
  offer(request, arrived(bad), true);
  offer(request, arrived(bad), false);
  offer(request, arrived(bad), true);
  await settleAll();
  offer(request, arrived(good), true);
  await settleAll();
  offer(request, arrived(good), false);
  const { warmUp, ...measured } = result();
  expect(measured).toMatchObject({ answers: 2, checked: 2, repeated: 1, broken: 1, findings: 1 });
  expect(measured.violations).toMatchObject([{ count: 1 }]);
  expect(warmUp).toMatchObject({ answers: 3, checked: 3, repeated: 0, broken: 2, findings: 2 });
});

test('an answer with several findings is one answer, for each requirement and in all', () => {
  const { offer, jobs, settle, result } = desk();
  for (let count = 0; count < 3; count += 1) offer(request, arrived(bad));
  const finding = { rule: 'billing.record', sentence: 's', expected: 'e', actual: 'a' } as const;
  const other = { ...finding, rule: 'billing.types' } as const;
  settle({ id: jobs[0]?.id ?? 0, findings: [finding, { ...finding, actual: 'b' }, other] });
  const { broken, findings, brokenBy, violations } = result();
  expect({ broken, findings, brokenBy: [...brokenBy] }).toEqual({
    broken: 3,
    findings: 9,
    brokenBy: [['getBillingAccount', 3]],
  });
  expect(violations).toMatchObject([
    { finding: { rule: 'billing.record' }, count: 3, findings: 6 },
    { count: 3, findings: 3 },
  ]);
});

test('what waits is bounded, and what is left out is counted', () => {
  const { offer, jobs, result } = desk();
  for (let count = 0; count < 700; count += 1) offer(request, arrived(`{"data":{"id":"ba_1","n":${count}}}`));
  expect(jobs).toHaveLength(500);
  expect(result()).toMatchObject({ answers: 700, checked: 0, skipped: 700 });
});

test('only a share is looked at when only a share is asked for', () => {
  const { offer, jobs, result } = desk(0.1);
  for (let count = 0; count < 2000; count += 1) offer(request, arrived(`{"data":{"id":"ba_1","n":${count}}}`));
  expect(jobs.length).toBeGreaterThan(140);
  expect(jobs.length).toBeLessThan(260);
  expect(result()).toMatchObject({ answers: 2000 });
});

test('what got no answer is not looked at', () => {
  const { offer, jobs, result } = desk();
  offer(request, { outcome: 'reset', headers: () => ({}), body: [] });
  expect(jobs).toEqual([]);
  expect(result().answers).toBe(0);
});

test('the thread judges packed answers too, and says what is wrong with one that is not what it says', async () => {
  const validator = await startValidator(1, 1);
  const headers = () => ({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
  validator.offer(request, arrived(gzipSync(good), { headers }), atOnce);
  validator.offer(request, arrived(gzipSync(bad), { headers }), atOnce);
  validator.offer(request, arrived(good, { headers }), atOnce);
  const { checked, violations } = await validator.end(5000);
  expect(checked).toBe(3);
  expect(violations.map(({ finding }) => finding.rule).toSorted()).toEqual(['billing.record', 'robustness.answered']);
});

test('nothing is judged when nothing is asked for', async () => {
  const validator = await startValidator(0, 1);
  validator.offer(request, arrived(bad), atOnce);
  expect(await validator.end(0)).toMatchObject({ answers: 1, checked: 0, violations: [] });
});
