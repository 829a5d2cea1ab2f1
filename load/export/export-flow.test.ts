import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import { loadK6Script } from '../../testing/try-k6.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { exportScript } from './export-script.ts';

const target: Target = {
  name: 'Test',
  baseUrl: 'https://staging.example.com/v1',
  principals: [
    { name: 'alice', key: 'secret-of-alice', variable: '$KEY_A', adminOf: ['org'] },
    { name: 'bob', key: 'secret-of-bob', variable: '$KEY_B', adminOf: ['other'] },
  ],
  organizations: [
    { id: 'org', chats: ['c1'], disposableDataSources: [] },
    { id: 'other', chats: [], disposableDataSources: [] },
  ],
  billingAccounts: [],
  idempotencyHeader: 'idempotency-key',
  assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 3 },
  limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 100 },
  allow: new Set(['load', 'messages']),
};

const folder = mkdtempSync(join(tmpdir(), 'awc-export-'));
writeFileSync(join(folder, 'rows.csv'), 'question\nHow many?\nWhich?\n');
afterAll(() => rmSync(folder, { recursive: true }));

const reading = `
      - { name: open, send: listModels, limit: 5 }
      - { name: page, send: listModels, limit: 5, cursor: '{open.pagination.nextCursor}' }
      - { name: filter, send: listModels, databaseConnectionId: '{open.data.any.source}', think: 2s }`;
const asking = `
      - { name: ask, send: sendMessage, message: '{row.question} Of {open.data.0.name}?', wait: 20 }
      - { name: followUp, send: sendMessage }`;

function exported(steps: string, format: 'k6' | 'artillery' = 'k6', rest = '') {
  const ofSteps = steps.includes('open,') ? 'open.latency.p90 < 500ms, open.errors.rate < 2%, ' : '';
  const text = `question: Why?
load:
  flow:
    rate: 2
    think: 1s
    data: rows.csv
    steps:${steps}
duration: 20s
thresholds: [${ofSteps}flow.latency.p99 < 9s, flow.errors.rate < 1%, flow.throughput > 1/s]
${rest}`;
  return exportScript(format, parseProfile(text, join(folder, 'mine.yaml'), {}), target);
}

async function script(steps: string, rest?: string) {
  const found = exported(steps, 'k6', rest);
  if ('problem' in found) throw new Error(found.problem);
  return { text: found.script, ...(await loadK6Script(found.script)) };
}

const list = (nextCursor: string | null) => ({
  status: 200,
  body: { data: [{ name: 'the "model"', source: 's 1&2' }], pagination: { nextCursor } },
});

const requestsOf = (found: Awaited<ReturnType<typeof script>>) =>
  found.sent().map(([method, url, body]) => [method, url.replace(/.*organizations/, ''), body].join(' ').trim());

test('a user goes through all steps with values of earlier answers and of the data', async () => {
  const flow = await script(reading + asking);
  flow.user(0, [list('n/1')]);
  flow.user(1, [list('n/1')]);
  expect(requestsOf(flow).slice(0, 6)).toEqual([
    'GET /org/models?limit=5',
    'GET /org/models?limit=5&cursor=n%2F1',
    'GET /org/models?databaseConnectionId=s%201%262',
    'POST /org/chats/c1/messages?wait=20 {"message":"How many? Of the \\"model\\"?"}',
    'POST /org/chats/c1/messages {"message":"quick"}',
    'GET /org/models?limit=5',
  ]);
  expect(requestsOf(flow)[8]).toContain('Which? Of');
  expect(flow.slept.slice(0, 5)).toEqual([1, 2, 1, 1, 0]);
  const [, , , ask] = flow.sent();
  expect(ask?.[3]).toMatchObject({ timeout: '30000ms', tags: { step: 'ask', name: 'ask', operation: 'sendMessage' } });
  const keys = flow.sent().flatMap(([, , , { headers }]) => headers['idempotency-key'] ?? []);
  expect(new Set(keys).size).toBe(4);
});

test('a step without its value is skipped, and a step that fails ends the flow', async () => {
  const flow = await script(reading);
  flow.user(0, [list(null), { status: 503 }]);
  expect(requestsOf(flow)).toEqual(['GET /org/models?limit=5', 'GET /org/models?databaseConnectionId=s%201%262']);
  flow.user(1, [{ status: 500 }]);
  expect(requestsOf(flow).slice(2)).toEqual(['GET /other/models?limit=5']);
  expect(flow.added).toEqual([
    ['steps_skipped', 1],
    ['flow_failed', true],
    ['flow_failed', true],
  ]);
});

test('after a 202 a busy chat is tried again with a new key, and then the chat rests', async () => {
  const flow = await script(asking.replace(' Of {open.data.0.name}?', ''));
  flow.user(0, [{ status: 202 }, { status: 409 }, { status: 409 }, { status: 202 }]);
  expect(flow.sent()).toHaveLength(4);
  expect(flow.slept).toEqual([1, 0.5, 0.5, 3]);
  expect(new Set(flow.sent().map(([, , , { headers }]) => headers['idempotency-key'])).size).toBe(4);
  flow.user(1, [{ status: 200 }, { status: 409 }]);
  expect(flow.slept.slice(4)).toEqual([1, 1]);
  expect(flow.added.filter(([name]) => name === 'flow_failed').map(([, value]) => value)).toEqual([false, false]);
});

test('a busy chat is not tried for longer than a response may take', async () => {
  const flow = await script(asking.replace(' Of {open.data.0.name}?', ''));
  flow.user(0, [{ status: 202 }, ...Array.from({ length: 100 }, () => ({ status: 409 }))]);
  expect(flow.sent()).toHaveLength(1 + 1 + 6);
});

test('virtual users, thresholds and comments are those of the flow', async () => {
  const { options, text } = await script(reading + asking, 'rateLimitedIsError: true\n');
  expect(options.scenarios.load).toMatchObject({ startRate: 2, maxVUs: 1, preAllocatedVUs: 1 });
  expect(options.thresholds).toEqual({
    dropped_iterations: ['count==0'],
    'http_req_duration{step:open}': ['p(90)<500'],
    flow_duration: ['p(99)<9000'],
    flow_failed: ['rate<0.01'],
    'http_req_failed{step:open}': ['rate<0.02'],
  });
  expect(text).toContain('// Not judged here: flow.throughput > 1/s');
  expect(text).not.toMatch(/secret-of/);
  const { options: readOnly } = await script(reading);
  expect(readOnly.scenarios.load).toMatchObject({ preAllocatedVUs: 10, maxVUs: 512 });
});

test('Artillery has no users with a chat of their own, so a flow is refused', () => {
  expect(exported(reading, 'artillery')).toEqual({ problem: expect.stringContaining('load.flow.steps of mine') });
});
