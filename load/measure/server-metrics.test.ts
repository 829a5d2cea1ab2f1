import { expect, test } from 'vitest';
import { type ServerRecord, serverSeries } from '../../reports/load/server-record.ts';
import { serverFacts } from '../judge/server-facts.ts';
import { tinyServer } from '../../testing/network/tiny-server.ts';
import { valuesIn, watchServer } from './server-metrics.ts';

const text = [
  '# TYPE process_cpu_seconds counter',
  'process_cpu_seconds_total 12.5 1395066363000',
  'http_in_flight{path="/a b}c",method="GET"} 3',
  'http_in_flight{path="/b"} 4 # {trace="x"} 1',
  'http_in_flight_max 9',
  'queue NaN',
  'broken{',
  '# EOF',
].join('\n');

test('series are summed over their labels, and what is no number is left out', () => {
  const names = ['process_cpu_seconds_total', 'http_in_flight', 'queue', 'broken', 'absent'];
  expect(valuesIn(text, names)).toEqual({ process_cpu_seconds_total: 12.5, http_in_flight: 7 });
});

test('a server is read until the end, without a key', async () => {
  const asked: unknown[] = [];
  await using server = await tinyServer(({ url, headers }, reply) => {
    asked.push([url, headers.authorization]);
    reply.end(text);
  });
  const metrics = { metrics: `${server.url}/metrics?all=1`, series: ['http_in_flight'] };
  const watch = watchServer(metrics, performance.now());
  await expect.poll(() => watch.soFar().samples.length).toBeGreaterThan(0);
  watch.end();
  expect(asked[0]).toEqual(['/metrics?all=1', undefined]);
  expect(watch.soFar().samples[0]?.values).toEqual({ process_cpu_seconds_total: 12.5, http_in_flight: 7 });
});

test('a server that cannot be read is no fault of the load', async () => {
  await using server = await tinyServer((_message, reply) => reply.writeHead(404).end());
  const watch = watchServer({ metrics: server.url, series: [] }, performance.now());
  await expect.poll(() => watch.soFar().failures).toBeGreaterThan(0);
  watch.end();
  expect(serverFacts(watch.soFar())).toMatchObject([{ name: 'server', verdict: 'unclear' }]);
});

const record: ServerRecord = {
  samples: [
    { atMs: 0, values: { process_cpu_seconds_total: 10, process_resident_memory_bytes: 2 ** 28, queue: 3 } },
    { atMs: 1000, values: { process_cpu_seconds_total: 10.5, process_resident_memory_bytes: 2 ** 29, queue: 5 } },
    { atMs: 2000, values: { process_cpu_seconds_total: 0.25, queue: 4 } },
    { atMs: 4000, values: { process_cpu_seconds_total: 2.25 } },
  ],
  failures: 0,
};

test('a counter is a rate, and begins again after a restart', () => {
  expect(serverSeries(record)[0]).toEqual({
    name: 'process_cpu_seconds_total',
    unit: 'cores',
    points: [
      { atMs: 1000, value: 0.5 },
      { atMs: 4000, value: 1 },
    ],
  });
  expect(serverFacts(record).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'process_cpu_seconds_total: 0.75 cores on average, 1 cores at most',
    'process_resident_memory_bytes: 384 MB on average, 512 MB at most',
    'queue: 4 on average, 5 at most',
  ]);
});

test('a series that the profile names and the server does not have is named, and so are metrics that were not read', () => {
  const facts = serverFacts({ ...record, failures: 2 }, ['queue', 'typo']).slice(-2);
  expect(facts).toEqual([
    { name: 'typo', value: 'not among the metrics of the server', verdict: 'unclear' },
    { name: 'server', value: 'its metrics could not be read in 2 of 6 attempts', verdict: 'unclear' },
  ]);
});
