import { expect, test } from 'vitest';
import { plainTarget } from '../../../testing/samples/plain-target.ts';
import { virtualClock } from '../../../core/clock.ts';
import { pointOf } from '../../measure/distribution.ts';
import { createMeasurement } from '../../measure/measurement.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { type FlowStep, stepsField, stepsOf } from './flow-steps.ts';
import { addSteps, goThrough, until } from './go-through.ts';
import { createStepRequests, identitiesOf } from './step-request.ts';

const target = plainTarget({
  principals: [{ name: 'alice', key: 'ka', variable: '$A', adminOf: ['org'] }],
  organizations: [{ id: 'org', chats: ['c1'], disposableDataSources: [] }],
  idempotencyHeader: 'idempotency-key',
  allow: new Set(['load', 'messages']),
});

const steps = (written: unknown, think = '0s'): readonly FlowStep[] => stepsOf(stepsField.parse(written), think);

type Reply = { readonly status: number; readonly body?: unknown; readonly tookMs?: number };

/** Takes one user through steps on a virtual clock, with these replies in turn. */
async function journey(through: readonly FlowStep[], replies: readonly Reply[], index = 0) {
  const clock = virtualClock(0);
  const measurement = createMeasurement(1000);
  addSteps(measurement, through);
  const sent: { readonly at: number; readonly request: LoadRequest }[] = [];
  const rows = [{ question: 'How many?' }, { question: 'Which?' }];
  const [identity] = identitiesOf(target, true);
  if (identity === undefined) throw new Error('no principal to send as');
  const left = await goThrough(
    {
      ...createStepRequests({ steps: through, rows, target, timeoutMs: 1000, seed: 1, runId: 'r' }),
      steps: through,
      measurement,
      clock,
      seed: 1,
      patienceMs: 3000,
      signal: new AbortController().signal,
      startAt: -1000,
      async send(request, scheduledAt) {
        const { status, body, tookMs = 10 } = replies[sent.length] ?? { status: 500 };
        sent.push({ at: scheduledAt, request });
        await clock.sleep(tookMs);
        const traceId = String(sent.length).padStart(32, '0');
        const arrived = {
          outcome: status,
          headers: () => ({}),
          body: [Buffer.from(JSON.stringify(body ?? {}))],
          sent: () => ({ ...request.request, trace: { traceId, spanId: '', isRecorded: false } }),
        };
        return { arrived, sentAt: scheduledAt, endedAt: clock.now() };
      },
    },
    { ...identity, index, recalled: new Map() },
    0,
  );
  const figures = [...measurement.steps].map(([name, { dropped, outcomes }]) => {
    const ends = [...outcomes.values()].map(
      ({ outcome, count, latency }) => `${outcome}×${count} ${Math.floor(pointOf(latency, 'max'))}`,
    );
    return `${name}: ${[...ends, ...(dropped > 0 ? [`skipped ${dropped}`] : [])].join(', ')}`;
  });
  const paths = sent.map(({ at, request: { request } }) => `${at} ${request.path.split('/').slice(5).join('/')}`);
  const slowest = [...measurement.steps].flatMap(([name, step]) =>
    step.slowest
      .all()
      .map(({ atMs, latencyMs, serviceMs, traceId }) => [
        name,
        Math.round(atMs),
        latencyMs,
        serviceMs,
        Number(traceId),
      ]),
  );
  return { left, figures, paths, sent, slowest };
}

const lists = steps(
  [
    { name: 'sources', send: 'listDataSources', limit: 2 },
    { name: 'open', send: 'listModels', limit: 5 },
    { name: 'page', send: 'listModels', cursor: '{open.pagination.nextCursor}' },
    { name: 'filter', send: 'listModels', databaseConnectionId: '{sources.data.1.id}' },
    { name: 'ask', send: 'sendMessage', message: '{row.question} {{{open.data.any.name}}}', wait: 5 },
  ],
  '100ms',
);

test('a user thinks between steps, and takes data from earlier answers and from a row', async () => {
  const { left, figures, paths, sent } = await journey(lists, [
    { status: 200, body: { data: [{ id: 's1' }, { id: 's/2' }] } },
    { status: 200, body: { data: [{ name: 'Sales' }], pagination: { nextCursor: 'm5' } } },
    { status: 200 },
    { status: 200 },
    { status: 200, tookMs: 500 },
  ]);
  expect(paths).toEqual([
    '0 data-sources?limit=2',
    '110 models?limit=5',
    '220 models?cursor=m5',
    '330 models?databaseConnectionId=s%2F2',
    '440 chats/c1/messages?wait=5',
  ]);
  expect(sent[4]?.request).toMatchObject({
    stepNames: ['ask', 'flow'],
    request: { body: '{"message":"How many? {Sales}"}' },
  });
  expect(figures).toEqual([
    'flow: 200×1 940',
    'sources: 200×1 10',
    'open: 200×1 10',
    'page: 200×1 10',
    'filter: 200×1 10',
    'ask: 200×1 500',
  ]);
  expect(left).toEqual({ message: 200 });
});

test('a step whose data is not there is skipped, and one that does not succeed ends the flow', async () => {
  const answers = [
    { status: 200, body: { data: [] } },
    { status: 200, body: { data: [], pagination: { nextCursor: null } } },
  ];
  const { figures, paths } = await journey(lists, answers);
  expect(paths).toHaveLength(2);
  expect(figures).toEqual([
    'flow: 200×1 120',
    'sources: 200×1 10',
    'open: 200×1 10',
    'page: skipped 1',
    'filter: skipped 1',
    'ask: skipped 1',
  ]);
  expect((await journey(lists, [{ status: 429 }])).figures.slice(0, 3)).toEqual([
    'flow: 429×1 10',
    'sources: 429×1 10',
    'open: ',
  ]);
});

const asks = steps([
  { name: 'ask', send: 'sendMessage' },
  { name: 'followUp', send: 'sendMessage', message: 'And?' },
]);

test('a follow-up waits until the response before it is over, with a new key each time', async () => {
  const { left, figures, sent, slowest } = await journey(asks, [
    { status: 202 },
    { status: 409 },
    { status: 409 },
    { status: 200, tookMs: 40 },
  ]);
  expect(sent.map(({ at }) => at)).toEqual([0, 10, 520, 1030]);
  expect(new Set(sent.map(({ request }) => request.request.headers['idempotency-key'])).size).toBe(4);
  expect(figures).toEqual(['flow: 200×1 1070', 'ask: 202×1 10', 'followUp: 200×1 1060']);
  // A step counts from when it was due, and its trace is that of its last request.
  expect(slowest).toEqual([
    ['ask', 1000, 10, 10, 1],
    ['followUp', 1010, 1060, 40, 4],
  ]);
  expect(left).toEqual({ message: 200 });
});

test('it waits no longer than a response may take, and not at all if the chat was idle', async () => {
  const busy = Array.from({ length: 20 }, () => ({ status: 409 }));
  const { sent, figures, left } = await journey(asks, [{ status: 202 }, ...busy]);
  expect(sent.length).toBe(7);
  expect(figures[0]).toMatch(/^flow: 409×1/);
  expect(left).toEqual({ message: 409 });
  expect((await journey(asks, [{ status: 200 }, ...busy])).sent).toHaveLength(2);
});

test('a user of the warm-up counts nowhere', async () => {
  const { figures, slowest } = await journey(asks, [{ status: 200 }, { status: 200 }], -1);
  expect(slowest).toEqual([]);
  expect(figures).toEqual(['flow: ', 'ask: ', 'followUp: ']);
});

test('what is due later never leaves earlier, although a timer wakes too early', async () => {
  const virtual = virtualClock(0);
  const clock = { now: virtual.now, sleep: (ms: number) => virtual.sleep(ms > 1 ? ms - 0.4 : ms) };
  await until({ clock, signal: new AbortController().signal }, 50);
  expect(clock.now()).toBe(50);
  await until({ clock, signal: AbortSignal.abort() }, 90);
  expect(clock.now()).toBe(50);
});

test('a wait is never shorter than nothing, although the clock goes on while it is read', async () => {
  let now = 0;
  const slept: number[] = [];
  const clock = {
    now: () => (now += 0.4),
    sleep: (ms: number) => {
      slept.push(ms);
      now += Math.max(0, ms - 0.6); // wakes a moment too early
      return Promise.resolve();
    },
  };
  await until({ clock, signal: new AbortController().signal }, 5);
  expect(slept.every((ms) => ms > 0)).toBe(true);
  expect(clock.now()).toBeGreaterThan(5);
});
