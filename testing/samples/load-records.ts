/** Records for the tests of the renderers of load reports. */
import type { CapacityRecord } from '../../reports/load/capacity-record.ts';
import type { Distribution } from '../../reports/load/distribution-record.ts';
import { type LoadRecord, type LoadSlice, loadRecordFormat } from '../../reports/load/load-record.ts';
import type { ExchangeRecord } from '../../reports/record/record.ts';
import { checks } from './run-records.ts';

const distribution: Distribution = {
  count: 300,
  min: 1,
  mean: 4,
  p50: 3,
  p75: 4,
  p90: 5,
  p95: 8,
  p99: 20,
  p999: 40,
  max: 50,
  hdr: '',
};

/** Of the sample's 60 seconds, one in which nothing was answered, and one in which much went wrong. */
function slice(_: unknown, index: number): LoadSlice {
  if (index === 20) return { due: 0, classes: {}, lagMaxUs: 0, latency: {} };
  const isBad = index === 30;
  return {
    due: 150,
    classes: isBad
      ? { ok: 140, rateLimited: 4, conflict: 1, refused: 1, failed: 1, timeout: 1, transport: 2 }
      : { ok: 150 },
    lagMaxUs: 500 + 100 * index,
    latency: {
      listModels: [
        [2000 + 10 * index, 90],
        [5008, 9],
        [isBad ? 900_608 : 20_000, 1],
      ],
      getBillingAccount: [[3000, isBad ? 41 : 50]],
    },
  };
}

const profile: LoadRecord['profile'] = {
  name: 'steady',
  question: 'What do users see?',
  kind: 'open',
  digest: 'sha256:0',
  plannedMs: 60_000,
  rateLimitedIsError: false,
  thresholds: ['latency.p95 < 5ms'],
};

const generator: LoadRecord['generator'] = {
  verdict: 'bottleneck',
  reasons: ['requests left late'],
  lag: distribution,
  eventLoopUtilization: 0.1,
  eventLoopDelayP99Ms: 2,
  processCores: 0.2,
  machineShare: 0.5,
  memoryMb: 100,
  sockets: { cap: 512, peak: 9, waited: 1 },
  closes: 1,
  latencyValid: true,
  throttledMs: 12,
  environments: [
    {
      cores: 2,
      model: 'Example CPU',
      memoryMb: 8192,
      kernel: 'Linux 6.1',
      runtime: 'Node 24.0.0',
      containerCores: 1.5,
    },
  ],
};

const exchange = firstExchange();

function firstExchange(): ExchangeRecord {
  const [first] = checks.flatMap(({ exchanges }) => exchanges);
  if (first === undefined) throw new Error('no check of the sample has an exchange');
  return first;
}

const found: CapacityRecord['result'] = {
  kind: 'found',
  ratePerSecond: 100,
  brokeAtPerSecond: 200,
  interval: { lowPerSecond: 95, highPerSecond: 180 },
};

const broke: CapacityRecord['broke'] = {
  requirement: 'idempotency.after',
  sentence: 'Repeating a request with its key returns the original messages.',
  ratePerSecond: 200,
  proof: { expected: 'the messages a', actual: 'b', exchanges: [exchange, exchange] },
};

const capacity: CapacityRecord = {
  trials: [
    { ratePerSecond: 50, outcome: 'held', throughputPerSecond: 50, p50Ms: 2, p95Ms: 3, p99Ms: 4 },
    { ratePerSecond: 100, outcome: 'held', throughputPerSecond: 99, p50Ms: 3, p95Ms: 6, p99Ms: 9 },
    { ratePerSecond: 120, outcome: 'generator', throughputPerSecond: 99, p50Ms: 3, p95Ms: 6, p99Ms: 9 },
    {
      ratePerSecond: 200,
      outcome: 'broke',
      throughputPerSecond: 120,
      p50Ms: 300,
      p95Ms: 700,
      p99Ms: 900,
      failed: ['latency.p95 < 5ms'],
      broke: ['idempotency.after'],
    },
  ],
  result: found,
  thresholds: found,
  broke,
};

const validation: LoadRecord['validation'] = {
  share: 1,
  answers: 8999,
  checked: 8999,
  repeated: 0,
  skipped: 0,
  broken: 3,
  findings: 4,
  warmUp: { checked: 10, broken: 0 },
};

const phases: LoadRecord['phases'] = {
  dns: distribution,
  connect: distribution,
  tls: distribution,
  firstByte: distribution,
  receive: distribution,
};

/** A trace, and its link. */
function traced(traceId: string) {
  return { traceId, traceUrl: `https://tracing.example.com/trace/${traceId}` };
}

const slow = { operation: 'listModels', atMs: 12_340, latencyMs: 1204, serviceMs: 900.5 } as const;

const slowest: LoadRecord['slowest'] = [
  { ...slow, outcome: 'timeout', class: 'timeout', atMs: 30_250, latencyMs: 30_000, ...traced('1'.repeat(32)) },
  { ...slow, outcome: '200', class: 'ok', ...traced('0af7651916cd43dd8448eb211c80319c') },
  { ...slow, operation: 'getBillingAccount', outcome: '503', class: 'failed', traceId: '2'.repeat(32) },
];

const server: NonNullable<LoadRecord['server']> = {
  samples: [0, 1000, 2000].map((atMs) => ({
    atMs,
    values: { process_cpu_seconds_total: atMs / 2000, process_resident_memory_bytes: 2 ** 28 },
  })),
  failures: 1,
};

/** A run in which everything happened. */
export function sampleLoadRecord(over: Partial<LoadRecord> = {}): LoadRecord {
  const outcomes = (['ok', 'rateLimited', 'timeout'] as const).map((kind) => ({
    outcome: { ok: '200', rateLimited: '429', timeout: 'timeout' }[kind],
    class: kind,
    count: 300,
    latency: distribution,
    service: distribution,
  }));
  return {
    format: loadRecordFormat,
    suite: { name: 'suite', version: '1.0.0' },
    target: { name: 'Staging', baseUrl: 'http://127.0.0.1:1', embedded: false },
    profile,
    seed: 7,
    shards: { of: 2, indexes: [1, 2] },
    startedAt: '2026-01-15T12:00:00.000Z',
    measuredMs: 59_500,
    result: 'missed',
    sentence: 'Missed: p99 20 ms at 150 req/s, violations in 3 of 8,999 answers checked (4 findings).',
    offeredPerSecond: 150,
    unserved: [],
    throughputPerSecond: 149,
    warmUp: 10,
    unfinished: 1,
    operations: [
      { operation: 'listModels', sent: 900, withheld: 2, capped: 5, broken: 3, outcomes },
      { operation: 'getBillingAccount', sent: 0, withheld: 0, capped: 0, broken: 0, outcomes: [] },
    ],
    steps: [
      { name: 'flow', operation: 'listModels', sent: 300, withheld: 2, capped: 0, broken: 0, outcomes, slowest: [] },
      { name: 'open', operation: 'listModels', sent: 300, withheld: 0, capped: 0, broken: 3, outcomes, slowest: [] },
    ],
    phases,
    slowest,
    thresholds: [
      { text: 'latency.p95 < 5ms', actual: 8, limit: 5, verdict: 'missed' },
      { text: 'errors.rate < 0.1%', actual: 0.0004, verdict: 'held' },
      { text: 'latency.p999 < 1s', verdict: 'unjudged', reason: 'too few answers' },
    ],
    validation,
    violations: [
      {
        rule: 'models.shape',
        sentence: 'Each model has every field.',
        operation: 'listModels',
        count: 3,
        findings: 4,
        proofs: [{ expected: 'name: a string', actual: 'absent', exchange }],
      },
    ],
    generator,
    capacity,
    sliceMs: 1000,
    slices: Array.from({ length: 60 }, slice),
    facts: [
      { name: 'retryAfterMs', value: 'in seconds', verdict: 'bad' },
      { name: 'quota', value: '200 requests', verdict: 'good' },
      { name: 'window', value: 'about 2 s', verdict: 'unclear' },
      { name: 'limiter', value: 'fixed window' },
    ],
    server,
    usedUp: {
      deletions: [{ organizationId: 'org_main', dataSourceId: 'ds_8', certain: true }],
      attachments: [{ billingAccountId: 'ba_1', organizationId: 'org_new', certain: false }],
      messages: [{ organizationId: 'org_main', chatId: 'chat_1', count: 12 }],
    },
    notes: ['One principal was not used.'],
    ...over,
  };
}

/** A run that ended before anything was sent. */
export function emptyLoadRecord(): LoadRecord {
  const { capacity: _capacity, offeredPerSecond: _offered, server: _server, ...rest } = sampleLoadRecord();
  const { lag: _lag, ...unpaced } = generator;
  return {
    ...rest,
    generator: unpaced,
    result: 'interrupted',
    measuredMs: 0,
    operations: [],
    steps: [],
    phases: {},
    slowest: [],
    thresholds: [],
    violations: [],
    facts: [],
    usedUp: { deletions: [], attachments: [], messages: [] },
    notes: [],
    slices: [],
  };
}
