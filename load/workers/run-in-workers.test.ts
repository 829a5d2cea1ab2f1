import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import { loadRecordSchema } from '../../reports/load/load-record.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';
import { watchConditions } from '../judge/abort-condition.ts';
import type { ProgressReport } from '../measure/report-progress.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { type LoadOptions, type Profile, profileDigest } from '../profile/profile.ts';
import { runInWorkers } from './run-in-workers.ts';

function targetAt(baseUrl: string): Target {
  return {
    name: 'Test',
    baseUrl,
    principals: [{ name: 'alice', key: 'ka', variable: '$A', adminOf: ['owner'] }],
    organizations: [{ id: 'owner', chats: [], disposableDataSources: [] }],
    billingAccounts: [{ id: 'ba', owner: 'owner', attachable: [] }],
    assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 100 },
    allow: new Set(['load']),
    proxyFor: () => undefined,
  };
}

function profileOf(more: readonly string[] = [], duration = '1s', rate = 150): Profile {
  const lines = [
    'question: Do workers send what one thread sends?',
    `load: { open: { rate: ${rate} } }`,
    `duration: ${duration}`,
    'validate: 0%',
    'operations: { getBillingAccount: { weight: 1 }, listModels: { weight: 2, limits: [1, 2], pages: 1, filters: false } }',
    'thresholds: [errors.rate < 5%]',
    ...more,
  ];
  return parseProfile(lines.join('\n'), 'workers.yaml', {});
}

/** Each answer takes longer than the generator lags on a busy machine: a condition on times leaves out what the lag may explain. */
const answerMs = 100;

async function run(profile: Profile, over: Partial<LoadOptions> = {}, maxPerSecond = Infinity, status = 200) {
  await using server = await tinyServer((_message, reply) => {
    setTimeout(() => json(reply, status, { data: [], pagination: { hasMore: false, nextCursor: null } }), answerMs);
  });
  const options = { ...plainOptions(targetAt(server.url)), ...over };
  const record = await runInWorkers(profile, options, { workers: 2, maxPerSecond });
  expect(loadRecordSchema.parse(record)).toEqual(record);
  return { record, paths: server.paths.toSorted() };
}

test('two workers send what one thread sends', async () => {
  const profile = profileOf();
  await using server = await tinyServer((_message, reply) =>
    json(reply, 200, { data: [], pagination: { hasMore: false, nextCursor: null } }),
  );
  const one = await profile.load.run(profile, plainOptions(targetAt(server.url)));
  const { record, paths } = await run(profile);
  const sentIn = ({ operations }: typeof one) =>
    Object.fromEntries(operations.map(({ operation, sent }) => [operation, sent]));
  expect(sentIn(record)).toEqual(sentIn(one));
  expect(paths).toEqual(server.paths.toSorted());
  expect(record).toMatchObject({ shards: { of: 2, indexes: [1, 2] }, profile: one.profile });
});

test('the limit holds for all workers together', async () => {
  const { record, paths } = await run(profileOf([], '2s'), {}, 40);
  // The window of the limit is a little over a second, and two of them begin in two seconds.
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.length).toBeLessThanOrEqual(80);
  expect(record.operations.reduce((sum, { capped }) => sum + capped, 0)).toBeGreaterThan(0);
});

test('an interruption reaches every worker, and progress is that of the whole', async () => {
  const interruption = new AbortController();
  const reports: ProgressReport[] = [];
  const onProgress = (report: ProgressReport) => {
    reports.push(report);
    if (reports.length === 2) interruption.abort();
  };
  const { record, paths } = await run(profileOf([], '10m'), { signal: interruption.signal, onProgress });
  expect(record.result).toBe('interrupted');
  const [first] = reports;
  expect(first?.recordOf(first.measurement.slices)).toMatchObject({ shards: { indexes: [1, 2] } });
  const counted = [...(first?.measurement.operations.values() ?? [])].reduce((sum, { sent }) => sum + sent, 0);
  expect(counted).toBeGreaterThan(0);
  expect(counted).toBeLessThanOrEqual(paths.length);
});

test('workers build histograms of a load in progress only while the load is watched', async () => {
  const interruption = new AbortController();
  const known: number[] = [];
  const onProgress = ({ measurement, recordOf }: ProgressReport) => {
    const outcomes = recordOf(measurement.slices).operations.flatMap((operation) => operation.outcomes);
    if (outcomes.length === 0) return; // nothing is answered yet
    known.push(outcomes.reduce((sum, { latency }) => sum + latency.count, 0));
    if ((known.at(-1) ?? 0) > 0 || known.length === 20) interruption.abort();
  };
  const isWatched = () => known.length > 1;
  await run(profileOf([], '10m'), { signal: interruption.signal, onProgress, isWatched });
  expect(known[0]).toBe(0);
  expect(known.at(-1)).toBeGreaterThan(0);
});

test('a stop condition is about the requests of all workers, and is named', async () => {
  // Neither worker has the fifty answers of the last seconds that a condition needs.
  const { record } = await run(profileOf(['abort: [errors.rate > 50%]'], '10s', 16), {}, Infinity, 500);
  expect(record.result).toBe('aborted');
  expect(record.sentence).toMatch(/^Ended early, because errors\.rate > 50%/);
  expect(record.profile.digest).toBe(profileDigest(profileOf(['abort: [errors.rate > 50%]'], '10s', 16)));
});

test('a stop condition on times is about the requests of all workers too, whether or not the load is watched', async () => {
  for (const isWatched of [true, false]) {
    const profile = profileOf(['abort: [listModels.latency.p50 > 1us]'], '10s', 60);
    const { record } = await run(profile, { isWatched: () => isWatched });
    expect(record.result).toBe('aborted');
    expect(record.sentence).toMatch(/^Ended early, because listModels\.latency\.p50 > 1us: /);
  }
});

test('a user who interrupts a load that a stop condition is ending has interrupted it', async () => {
  const profile = profileOf(['abort: [errors.rate > 50%]'], '10s', 16);
  const interruption = new AbortController();
  let isMet: ReturnType<typeof watchConditions> | undefined;
  const onProgress = ({ measurement }: ProgressReport) => {
    isMet ??= watchConditions(profile.abort, { ...measurement, rateLimitedIsError: false });
    if (isMet() !== undefined) setImmediate(() => interruption.abort()); // after the run has seen it too
  };
  const { record } = await run(profile, { signal: interruption.signal, onProgress }, Infinity, 500);
  expect(interruption.signal.aborted).toBe(true);
  expect(record.result).toBe('interrupted');
});

test('a worker that fails is named', async () => {
  const running = runInWorkers(profileOf(), plainOptions(targetAt('nonsense')), { workers: 2, maxPerSecond: Infinity });
  await expect(running).rejects.toThrow(/^worker [12] failed: /);
});
