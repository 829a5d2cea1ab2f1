import { get } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { realClock } from '../../core/clock.ts';
import { capacityKind } from '../../load/kinds/capacity.ts';
import { parseProfile } from '../../load/profile/profile-file.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';
import { noticeRequests } from '../../testing/notice-requests.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { createCollector, servedReference } from '../../testing/try-awc.ts';
import { otlpCollector } from '../../testing/network/otlp-collector.ts';
import { withLivePage } from '../live/open-live-page.ts';
import { withOtlpPush } from '../otlp/push-otlp.ts';
import { showLoads } from './live-load-page.ts';

/** Intervals follow a clock of the test, so that a short load reports as often as a long one. The load itself runs in real time. */
function ownIntervals(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

/** A busy machine may need this long to start a thread; the load goes on until the test ends it. */
const patiently = { timeout: 30_000, interval: 5 };

const pushSchema = z.object({
  resourceMetrics: z.tuple([
    z.object({
      scopeMetrics: z.tuple([z.object({ metrics: z.array(z.looseObject({ name: z.string() })) })]),
    }),
  ]),
});
const sumSchema = z.object({ dataPoints: z.array(z.object({ asInt: z.coerce.number() })) });

/** How many requests were finished so far, by a push. */
function finishedIn(push: unknown): number {
  const [{ scopeMetrics }] = pushSchema.parse(push).resourceMetrics;
  const metric = scopeMetrics[0].metrics.find(({ name }) => name === 'awc.load.requests');
  return Math.max(0, ...sumSchema.parse(metric?.['sum']).dataPoints.map(({ asInt }) => asInt));
}

test('a collector gets metrics while a load runs, and all of them in the end', async () => {
  const pass = ownIntervals();
  const { isUnderWay, wrap } = noticeRequests(48);
  const target = await servedReference({ choices: { 'rate-quota': 'none' }, wrap });
  const { load, ...profile } = parseProfile(
    [
      'question: Why?',
      'load: { open: { rate: 40, arrivals: constant } }',
      'duration: 60s',
      'validate: 0%',
      'operations: { listModels: { weight: 1, limits: [5], pages: 1, filters: false } }',
    ].join('\n'),
    'short.yaml',
    {},
  );
  const { received, url } = await otlpCollector(200);
  const ending = new AbortController();
  const whole = withOtlpPush(url, { env: {}, err: createCollector() }, async (shown) => {
    const onProgress: Parameters<typeof load.run>[1]['onProgress'] = (report) => shown?.progress(report, '');
    const options = { ...plainOptions(target), signal: ending.signal, onProgress };
    const record = await load.run({ ...profile, load }, options);
    shown?.over(record, '');
    return record;
  });
  await isUnderWay; // more than a second
  pass(10_000);
  await expect.poll(() => received.length, patiently).toBe(1);
  const early = finishedIn(received[0]?.body);
  expect(early).toBeGreaterThanOrEqual(40); // those of the first second
  ending.abort();
  const { result, operations } = await whole;
  expect(result).toBe('interrupted');
  const finished = operations.flatMap(({ outcomes }) => outcomes).reduce((sum, { count }) => sum + count, 0);
  expect(finished).toBeGreaterThanOrEqual(early);
  expect(received.slice(1).map(({ body }) => finishedIn(body))).toEqual([finished]);
});

/** The texts of the events of a live page so far. */
function eventsOf(url: string): () => string {
  let text = '';
  const request = get(new URL('events', url), { agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (part: string) => (text += part));
    response.on('error', () => {});
  });
  request.on('error', () => {});
  onTestFinished(() => void request.destroy());
  return () => text;
}

type Bounds = { readonly passed: number; readonly failed: number };

/** The rates between which the search had to look, in the order in which the page showed them. */
function boundsIn(events: string): readonly Bounds[] {
  const shown = events.matchAll(/The search is not over: ([\d.]+)\/s passed, ([\d.]+)\/s did not, after \d+ trials/g);
  const all = Array.from(shown, ([, passed, failed]) => ({ passed: Number(passed), failed: Number(failed) }));
  return all.filter((one, index) => JSON.stringify(one) !== JSON.stringify(all[index - 1]));
}

test('a live page shows how a search for the capacity narrows, step by step', async () => {
  const pass = ownIntervals();
  let arrivedAt: readonly number[] = [];
  // Accepts at most 60 requests in 300 ms, however late they are.
  await using server = await tinyServer((_message, reply) => {
    const now = performance.now();
    arrivedAt = [...arrivedAt.filter((at) => at > now - 300), now];
    json(reply, arrivedAt.length > 60 ? 503 : 200, { data: { id: 'ba' } });
  });
  const parsed = parseProfile(
    [
      'question: Where does it break?',
      'load: { capacity: { from: 100, to: 800, trial: 1s, repeats: 1, precision: 10% } }',
      'validate: 0%',
      'operations: { getBillingAccount: { weight: 1 } }',
      'thresholds: [errors.rate < 1%]',
    ].join('\n'),
    'capacity.yaml',
    {},
  );
  const search = { fromPerSecond: 100, toPerSecond: 800, repeats: 1, precision: 0.1, sockets: 512 };
  // Shorter than a profile may ask for.
  const profile = { ...parsed, load: capacityKind.of({ ...search, trialMs: 300 }) };
  const target = { ...(await servedReference()), baseUrl: server.url };
  const err = createCollector();
  const bounds = await withLivePage(0, { err }, async (page) => {
    if (page === undefined) throw new Error('no page');
    const events = eventsOf(/Live page: (\S+)/.exec(err.text())?.[1] ?? '');
    while (!page.isWatched()) await realClock.sleep(5);
    const { progress } = showLoads(page);
    const time = setTimeout(function next() {
      pass(1000);
      time.refresh();
    }, 100);
    onTestFinished(() => clearTimeout(time));
    await profile.load.run(profile, { ...plainOptions(target), onProgress: (report) => progress(report, '') });
    clearTimeout(time);
    return () => boundsIn(events());
  });
  const steps = bounds();
  expect(steps.length).toBeGreaterThanOrEqual(3);
  for (const [index, { passed, failed }] of steps.entries()) {
    const before = steps[index - 1] ?? { passed: 0, failed: Infinity };
    expect(passed).toBeLessThan(failed);
    expect(failed - passed).toBeLessThan(before.failed - before.passed);
    expect([passed >= before.passed, failed <= before.failed]).toEqual([true, true]);
  }
});
