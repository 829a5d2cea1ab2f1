import { type LoadRecord, loadRecordFormat } from '../../reports/load/load-record.ts';
import { distributionOf } from '../../load/measure/distribution.ts';
import { createHistogram } from '../../load/measure/histogram.ts';
import type { Trial } from '../../load/compare/trial.ts';

const generator: LoadRecord['generator'] = {
  verdict: 'fit',
  reasons: [],
  eventLoopUtilization: 0.1,
  eventLoopDelayP99Ms: 1,
  processCores: 0.1,
  machineShare: 0.2,
  memoryMb: 100,
  sockets: { cap: 512, peak: 8, waited: 0 },
  closes: 0,
  latencyValid: true,
  environments: [],
};

/** The record of a run that measured a simulated trial and began at `minute`. */
export function simulatedRecord({ blocks }: Trial, minute: number, over: Partial<LoadRecord> = {}): LoadRecord {
  const answers = blocks.reduce((sum, block) => sum + block.answers, 0);
  const empty = distributionOf(createHistogram());
  return {
    format: loadRecordFormat,
    suite: { name: 'suite', version: '0.0.0' },
    target: { name: 'Simulated', baseUrl: 'http://127.0.0.1:1', embedded: false },
    profile: {
      name: 'steady',
      question: 'Is it as fast?',
      kind: 'open',
      digest: `sha256:${'0'.repeat(64)}`,
      plannedMs: 1000 * blocks.length,
      rateLimitedIsError: false,
      thresholds: [],
    },
    seed: 1,
    shards: { of: 1, indexes: [1] },
    startedAt: new Date(Date.UTC(2026, 10, 2, 10, minute)).toISOString(),
    measuredMs: 1000 * blocks.length,
    result: 'held',
    sentence: 'Simulated.',
    unserved: [],
    throughputPerSecond: answers / blocks.length,
    warmUp: 0,
    unfinished: 0,
    operations: [
      {
        operation: 'listModels',
        sent: answers,
        withheld: 0,
        capped: 0,
        broken: 0,
        arrived: answers,
        outcomes: [{ outcome: '200', class: 'ok', count: answers, latency: empty, service: empty }],
      },
    ],
    steps: [],
    phases: {},
    slowest: [],
    thresholds: [],
    validation: {
      share: 1,
      answers,
      checked: answers,
      repeated: 0,
      skipped: 0,
      broken: 0,
      findings: 0,
      warmUp: { checked: 0, broken: 0 },
    },
    violations: [],
    generator,
    sliceMs: 1000,
    slices: blocks.map(({ latency, answers: ok }) => ({
      due: ok,
      arrived: ok,
      classes: { ok },
      lagMaxUs: 0,
      latency: { listModels: latency.map(([us, count]): [number, number] => [us, count]) },
    })),
    facts: [],
    usedUp: { deletions: [], attachments: [], messages: [] },
    notes: [],
    ...over,
  };
}
