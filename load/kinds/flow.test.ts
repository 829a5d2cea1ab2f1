import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import { loadRecordSchema } from '../../reports/load/load-record.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { temporaryFolder } from '../../testing/try-awc.ts';
import { loadProfile, parseProfile } from '../profile/profile-file.ts';

function targetAt(baseUrl: string, organizations: Target['organizations']): Target {
  return {
    name: 'Test',
    baseUrl,
    principals: [{ name: 'alice', key: 'key-of-alice', variable: '$A', adminOf: ['org', 'owner'] }],
    organizations,
    billingAccounts: [{ id: 'ba', owner: 'owner', attachable: [] }],
    assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 100 },
    allow: new Set(['load']),
  };
}

const usual = [{ id: 'org', chats: [], disposableDataSources: [] }] as const;

/** Runs a flow of two steps; the server answers each account with this body. */
async function runFlow(body: unknown, thresholds: string, organizations: Target['organizations'] = usual) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'rows.csv'), 'cursor\nm1\nm2\n');
  const text = `question: Why?
load:
  flow:
    rate: 50
    arrivals: constant
    data: rows.csv
    steps:
      - { name: page, send: listModels, cursor: '{row.cursor}' }
      - { name: account, send: getBillingAccount }
duration: 400ms
warmUp: 100ms
thresholds: [${thresholds}]
`;
  await writeFile(join(folder, 'journey.yaml'), text);
  const profile = loadProfile(join(folder, 'journey.yaml'), {});
  await using server = await tinyServer((message, reply) => {
    if (message.url?.includes('/models') === true)
      json(reply, 200, { data: [], pagination: { hasMore: false, nextCursor: null } });
    else json(reply, body === undefined ? 429 : 200, body ?? {});
  });
  const record = loadRecordSchema.parse(
    await profile.load.run(profile, plainOptions(targetAt(server.url, organizations))),
  );
  const counts = record.steps.map(({ name, outcomes, broken }) => [
    name,
    ...outcomes.map(({ outcome, count }) => `${outcome}: ${count}`),
    broken,
  ]);
  const verdicts = record.thresholds.map(({ text: asked, verdict }) => `${asked} ${verdict}`);
  return { record, counts, verdicts, paths: server.paths };
}

test.concurrent('users go through all steps, each with a row of the data, and figures are of each step and of the flow', async () => {
  const { record, counts, verdicts, paths } = await runFlow(
    { data: { id: 'ba' } },
    'flow.errors.rate == 0%, page.violations == 0',
  );
  expect(counts).toEqual([
    ['flow', '200: 20', 0],
    ['page', '200: 20', 0],
    ['account', '200: 20', 0],
  ]);
  expect(verdicts).toEqual(['flow.errors.rate == 0% held', 'page.violations == 0 held']);
  expect(record.operations.map(({ operation, sent }) => [operation, sent])).toEqual([
    ['listModels', 20],
    ['getBillingAccount', 20],
  ]);
  expect(record.steps.map(({ slowest }) => slowest.map(({ operation }) => operation))).toEqual([
    [],
    Array.from({ length: 5 }, () => 'listModels'),
    Array.from({ length: 5 }, () => 'getBillingAccount'),
  ]);
  expect(record.steps.flatMap(({ slowest }) => slowest).every(({ atMs }) => atMs >= 0 && atMs < 5000)).toBe(true);
  expect(record.warmUp).toBe(10);
  expect(new Set(paths.filter((path) => path.includes('/models')))).toEqual(
    new Set(['/api/public/organizations/org/models?cursor=m1', '/api/public/organizations/org/models?cursor=m2']),
  );
  expect(record.sentence).toContain('20 of 20 flows were completed');
});

test.concurrent('violations belong to the step that they were found in, and to the flow', async () => {
  const { counts, verdicts } = await runFlow(
    { data: { id: 'other' } },
    'page.violations == 0, account.violations == 0, flow.violations == 0',
  );
  expect(counts).toEqual([
    ['flow', '200: 20', 20],
    ['page', '200: 20', 0],
    ['account', '200: 20', 20],
  ]);
  expect(verdicts).toEqual([
    'page.violations == 0 held',
    'account.violations == 0 missed',
    'flow.violations == 0 missed',
  ]);
});

test.concurrent('a 429 ends the flow and is no error', async () => {
  const { record, counts, verdicts } = await runFlow(
    undefined,
    'account.rateLimited.rate == 100%, flow.errors.rate == 0%',
  );
  expect(counts).toEqual([
    ['flow', '429: 20', 20],
    ['page', '200: 20', 0],
    ['account', '429: 20', 20],
  ]);
  expect(verdicts).toEqual(['account.rateLimited.rate == 100% held', 'flow.errors.rate == 0% unjudged']);
  expect(record.unserved).toEqual(['getBillingAccount']);
});

test.concurrent('without a principal to send as there is no verdict', async () => {
  const { record } = await runFlow({}, '', []);
  expect(record.result).toBe('unjudged');
  expect(record.facts).toMatchObject([{ name: 'users', verdict: 'unclear' }]);
});

test.concurrent('an operation whose steps were always skipped leaves no verdict', async () => {
  const text = `question: Why?
load:
  flow:
    rate: 50
    steps:
      - { name: sources, send: listDataSources }
      - { name: page, send: listModels, databaseConnectionId: '{sources.data.any.id}' }
duration: 400ms
thresholds: [flow.errors.rate == 0%]
`;
  const profile = parseProfile(text, 'journey.yaml', {});
  await using server = await tinyServer((_message, reply) =>
    json(reply, 200, { data: [], pagination: { hasMore: false, nextCursor: null } }),
  );
  const record = loadRecordSchema.parse(await profile.load.run(profile, plainOptions(targetAt(server.url, usual))));
  expect(record).toMatchObject({ result: 'unjudged', unserved: ['listModels'] });
  expect(record.sentence).toMatch(/^No verdict, because no request of listModels \(none was sent\) succeeded: /);
});

test.concurrent('no waiting request is sent after an interruption', async () => {
  const text =
    'question: Why?\nload:\n  flow: { rate: 200, sockets: 1, steps: [{ name: page, send: listModels }] }\nduration: 2s\n';
  const profile = parseProfile(text, 'journey.yaml', {});
  const controller = new AbortController();
  await using server = await tinyServer(() => setTimeout(() => controller.abort(), 300));
  const options = { ...plainOptions(targetAt(server.url, usual)), signal: controller.signal };
  const record = loadRecordSchema.parse(await profile.load.run(profile, options));
  expect(record.result).toBe('interrupted');
  expect(record.operations).toMatchObject([{ operation: 'listModels', sent: 1 }]);
});

test.concurrent('the throughput is that of the steady load, whose users arrived in the warm-up or go on after the end', async () => {
  const step = (name: string) => `{ name: ${name}, send: getBillingAccount, think: 100ms }`;
  const text = `question: Why?
load:
  flow:
    rate: 50
    arrivals: constant
    steps: [${['one', 'two', 'three', 'four'].map(step).join(', ')}]
duration: 400ms
warmUp: 400ms
`;
  const profile = parseProfile(text, 'journey.yaml', {});
  await using server = await tinyServer((_message, reply) => json(reply, 200, { data: { id: 'ba' } }));
  const record = loadRecordSchema.parse(await profile.load.run(profile, plainOptions(targetAt(server.url, usual))));
  const [operation] = record.operations;
  // 20 users of four steps each in the measured part, and as many before it.
  expect([operation?.sent, record.warmUp]).toEqual([80, 80]);
  // Of the users of the measured part alone, at most 50 requests are answered within it.
  expect(operation?.arrived).toBeGreaterThan(65);
  expect(record.slices.map(({ arrived }) => arrived)).toEqual([operation?.arrived]);
  // In the measured part the last steps of its first users make up for the first steps of the last ones.
  expect(record.steps.find(({ name }) => name === 'four')?.arrived).toBeGreaterThan(12);
});

test.concurrent('if many users found no idle chat, there is no verdict, and the last line says how many', async () => {
  const text = `question: Why?
load:
  flow: { rate: 50, arrivals: constant, steps: [{ name: ask, send: sendMessage }] }
duration: 400ms
validate: 0%
thresholds: [errors.rate == 0%]
`;
  const profile = parseProfile(text, 'journey.yaml', {});
  await using server = await tinyServer((_message, reply) => setTimeout(() => json(reply, 200, {}), 500));
  const options = plainOptions(targetAt(server.url, [{ id: 'org', chats: ['chat'], disposableDataSources: [] }]));
  const { sentence, result, facts } = await profile.load.run(profile, options);
  expect(sentence).toContain('1 of 1 flows were completed, and 19 users found no idle chat, ');
  expect(result).toBe('unjudged'); // although no threshold failed
  expect(facts).toMatchObject([{ name: 'users', value: expect.stringContaining('95% found no idle chat') }]);
});
