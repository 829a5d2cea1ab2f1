import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Target } from '../../core/target.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { loadK6Script } from '../../testing/try-k6.ts';
import { exportedLoad, type ExportedLoad } from './exported-load.ts';
import { renderArtillery } from './render-artillery.ts';
import { renderK6 } from './render-k6.ts';

const target: Target = {
  name: 'Test',
  baseUrl: 'https://staging.example.com/v1',
  principals: [
    { name: 'alice', key: 'secret-of-alice', variable: '$KEY_A', adminOf: ['org'] },
    { name: 'bob', key: 'secret-of-bob', variable: '$KEY_B', adminOf: ['org'] },
  ],
  organizations: [{ id: 'org', chats: ['c1'], disposableDataSources: [] }],
  billingAccounts: [],
  idempotencyHeader: 'idempotency-key',
  assistant: { quickPrompt: 'Say "ok".', slowPrompt: 'slow', timeoutSeconds: 120 },
  limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 100 },
  allow: new Set(['load', 'messages']),
};

const mix = `operations:
  listModels: { weight: 3, limits: [10, 50] }
  getBillingAccount: { weight: 1 }
  sendMessage: { weight: 1, wait: 20 }
thresholds: [listModels.latency.p99 < 250ms, latency.mean <= 90ms, errors.rate < 0.1%, throughput > 5/s, violations == 0]
`;

function exported(open: string, rest = 'duration: 20s\nwarmUp: 2s\n'): ExportedLoad {
  const text = `question: "Why?\\nNow."\nload: { open: { ${open} } }\n${rest}${mix}`;
  const profile = parseProfile(text, 'mine.yaml', {});
  const { schedule } = profile.load;
  if (schedule === undefined) throw new Error('not an open load');
  return exportedLoad(profile, schedule, target);
}

const staged = () =>
  exported(
    'rate: 10, stages: [{ rate: 90, over: 30s }, { rate: 20, over: 0s }, { rate: 20, over: 5s }]',
    'warmUp: 2s\n',
  );

test.each([renderK6, renderArtillery])('%o names variables and holds no key', (render) => {
  const script = render(exported('rate: 10'));
  expect(script).toContain('KEY_A');
  expect(script).not.toMatch(/secret-of/);
});

test.each([renderK6, renderArtillery])('%o says what it leaves out', (render) => {
  const comments = render(exported('rate: 10', 'duration: 20s\nabort: [errors.rate > 50%]\n'))
    .split('\n')
    .filter((line) => /^(\/\/|#) /.test(line))
    .join('\n');
  expect(comments).toContain('mine: Why?\\u000aNow.');
  expect(comments).toContain('Not judged here: violations == 0');
  expect(comments).toContain('Not sent: getBillingAccount');
  expect(comments).toContain('Does not end early: abort: errors.rate > 50%');
});

test.each([renderK6, renderArtillery])('%o sends no messages where the target does not allow them', (render) => {
  const text = 'question: Why?\nload: { open: { rate: 1 } }\nduration: 1s\noperations:\n';
  const operations = '  listModels: { weight: 1 }\n  sendMessage: { weight: 1, ifAllowed: true }\n';
  const profile = parseProfile(`${text}${operations}`, 'mine.yaml', {});
  const { schedule } = profile.load;
  if (schedule === undefined) throw new Error('not an open load');
  const script = render(exportedLoad(profile, schedule, { ...target, allow: new Set(['load']) }));
  expect(script).not.toContain('/messages');
  expect(script).toContain('Not sent: sendMessage, because the target file does not allow messages.');
});

test('a script for k6 loads, and sends what the profile says, as often', async () => {
  const script = await loadK6Script(renderK6(exported('rate: 10')));
  for (let index = 0; index < 2000; index += 1) script.user(index);
  const sent = script.sent();
  const messages = sent.filter(([method]) => method === 'POST');
  expect(messages.length / sent.length).toBeCloseTo(0.25, 1);
  expect(messages[0]).toMatchObject([
    'POST',
    `${target.baseUrl}/api/public/organizations/org/chats/c1/messages?wait=20`,
    '{"message":"Say \\"ok\\"."}',
    { timeout: '30000ms', tags: { operation: 'sendMessage' } },
  ]);
  expect(messages[0]?.[3].headers).toMatchObject({ authorization: 'Bearer a', 'idempotency-key': expect.any(String) });
  const lists = new Set(
    sent.filter(([method]) => method === 'GET').map(([, url, , { headers }]) => `${headers['authorization']} ${url}`),
  );
  expect(lists.size).toBe(2 * 2);
});

test('a script for k6 has the stages and thresholds of the profile', async () => {
  const { options } = await loadK6Script(renderK6(staged()));
  expect(options.scenarios.load).toMatchObject({
    startRate: 10,
    timeUnit: '1s',
    stages: [
      { target: 10, duration: '2000ms' },
      { target: 90, duration: '30000ms' },
      { target: 20, duration: '0ms' },
      { target: 20, duration: '5000ms' },
    ],
  });
  expect(options.thresholds).toEqual({
    dropped_iterations: ['count==0'],
    'http_req_duration{operation:listModels}': ['p(99)<250'],
    http_req_duration: ['avg<=90'],
    http_req_failed: ['rate<0.001'],
    http_reqs: ['rate>5'],
  });
});

test('rates that are not whole numbers are given per minute', async () => {
  const { options } = await loadK6Script(renderK6(exported('rate: 0.5')));
  expect(options.scenarios.load).toMatchObject({ startRate: 30, timeUnit: '1m' });
});

const requestSchema = z.strictObject({
  url: z.string().startsWith('/api/public/'),
  name: z.string(),
  followRedirect: z.literal(false),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

const artillerySchema = z.strictObject({
  config: z.strictObject({
    target: z.url(),
    phases: z
      .array(
        z.strictObject({
          name: z.string(),
          duration: z.int().positive(),
          arrivalRate: z.number().positive(),
          rampTo: z.number().positive().optional(),
        }),
      )
      .min(1),
    http: z.strictObject({ timeout: z.int().positive() }),
    plugins: z.strictObject({
      'metrics-by-endpoint': z.strictObject({ useOnlyRequestNames: z.literal(true) }),
      ensure: z.strictObject({ thresholds: z.array(z.record(z.string(), z.int())) }),
    }),
  }),
  scenarios: z.array(
    z.strictObject({
      name: z.string(),
      weight: z.int().positive(),
      flow: z.tuple([z.union([z.strictObject({ get: requestSchema }), z.strictObject({ post: requestSchema })])]),
    }),
  ),
});

test('a script for Artillery has the documented shape, and the phases, weights and thresholds of the profile', () => {
  const { config, scenarios } = artillerySchema.parse(parse(renderArtillery(staged())));
  expect(config.phases).toEqual([
    { name: 'warm-up', duration: 2, arrivalRate: 10 },
    { name: 'stage 1', duration: 30, arrivalRate: 10, rampTo: 90 },
    { name: 'stage 3', duration: 5, arrivalRate: 20 },
  ]);
  expect(config.plugins.ensure.thresholds).toEqual([
    { 'plugins.metrics-by-endpoint.response_time.listModels.p99': 250 },
    { 'http.response_time.mean': 90 },
  ]);
  const weightOf = (name: string) =>
    scenarios.filter((scenario) => scenario.name === name).reduce((sum, { weight }) => sum + weight, 0);
  expect([weightOf('listModels'), weightOf('sendMessage')]).toEqual([7500, 2500]);
  const post = scenarios.flatMap(({ flow: [step] }) => ('post' in step ? [step.post] : []));
  expect(post[0]).toMatchObject({
    headers: {
      authorization: 'Bearer {{ $processEnvironment.KEY_A }}',
      'idempotency-key': 'awc-{{ $randomString(24) }}',
    },
    body: '{"message":"Say \\"ok\\"."}',
  });
});
