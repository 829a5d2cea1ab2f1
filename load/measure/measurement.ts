import type { Operation } from '../../spec/requirement.ts';
import { type BucketCounts, createBucketCounts } from './bucket-counts.ts';
import { countPhases, createPhaseHistograms, type PhaseHistograms, type Phases } from './phases.ts';
import { bucketOf, createHistogram, type TimeHistogram, wholeUs } from './histogram.ts';
import type { OutcomeClass } from '../../reports/load/load-record.ts';
import { classOf, isLatency, type Outcome } from './outcome.ts';
import { createSlowest, type EndedRequest, type Slowest } from './slowest.ts';

/** One request that is over. */
export type Sample = EndedRequest & { readonly phases?: Phases | undefined };

export type OutcomeMeasure = {
  readonly outcome: Outcome;
  count: number;
  readonly latency: TimeHistogram;
  readonly service: TimeHistogram;
};

export type OperationMeasure = {
  /** Requests whose sending began. */
  sent: number;
  /** Requests that were scheduled and not sent, because every chat was busy. */
  dropped: number;
  /** Requests that were scheduled and not sent, because they would have exceeded the limit of the target file. */
  capped: number;
  /** Successful answers that arrived within the measured part, also to requests of the warm-up: the throughput. */
  arrived: number;
  readonly outcomes: Map<Outcome, OutcomeMeasure>;
};

/** A step of a flow, or the whole flow: its time counts from the moment it was due until it was over. */
export type StepMeasure = OperationMeasure & {
  /** It decides whether an outcome is a success. */
  readonly operation: Operation;
  /** By the time of the step; of the whole flow none, because no single trace has it. */
  readonly slowest: Slowest;
};

/** How many requests of all operations were sent, and how many would have exceeded the limit of the target file. */
export function sentAndCapped(measures: Iterable<Pick<OperationMeasure, 'sent' | 'capped'>>) {
  const whole = { sent: 0, capped: 0 };
  for (const { sent, capped } of measures) {
    whole.sent += sent;
    whole.capped += capped;
  }
  return whole;
}

/**
 * A time interval of the measured part. Requests count in the interval in which they were scheduled, whenever they ended. Those of
 * users of the warm-up count too: without them, a flow would seem to begin slowly.
 */
export type Slice = {
  scheduled: number;
  /** Requests of this interval that were sent and are not over yet. */
  waiting: number;
  /** Successful answers that arrived in this interval, and within the measured part. */
  arrived: number;
  readonly classes: Map<OutcomeClass, number>;
  /** Of successes and timeouts: how often each time, in buckets of a histogram of three digits. */
  readonly latency: Map<Operation, BucketCounts>;
  lagMaxUs: number;
};

export type Measurement = {
  readonly sliceMs: number;
  /**
   * The end of the measured part. Answers that arrive later count in no throughput, and requests that are scheduled later, such as the
   * last steps of a flow, in no slice: the load dies away then.
   */
  readonly endMs: number;
  readonly slices: Slice[];
  readonly operations: Map<Operation, OperationMeasure>;
  /** Of a flow: its steps in order, and the whole of it, by name. */
  readonly steps: Map<string, StepMeasure>;
  /** Of all answers whose phases are known. */
  readonly phases: PhaseHistograms;
  readonly slowest: Slowest;
  /** How late the generator sent, for reasons of its own. */
  readonly lag: TimeHistogram;
  /** Requests of the warm-up, also the late ones of its users. They count in no outcome of an operation or step. */
  warmUp: number;
};

const leastSliceMs = 1000;
const maxSlices = 600;
/** A target may answer with any status: this many are counted separately, all further ones by their hundred. */
const maxOutcomes = 24;

/** An empty measurement of a part with that planned length, which it may exceed if `endMs` is later. */
export function createMeasurement(plannedMs: number, endMs = plannedMs): Measurement {
  return {
    sliceMs: leastSliceMs * Math.max(1, Math.ceil(plannedMs / leastSliceMs / maxSlices)),
    endMs,
    slices: [],
    operations: new Map(),
    steps: new Map(),
    phases: createPhaseHistograms(),
    slowest: createSlowest(),
    lag: createHistogram(),
    warmUp: 0,
  };
}

/**
 * Counts a request whose sending begins now, `lagMs` after its scheduled instant if it has one. With `isWarmUp`, it is of a user of
 * the warm-up, who may go on in the measured part.
 */
export function countSent(
  to: Measurement,
  operation: Operation,
  atMs: number,
  lagMs?: number,
  isWarmUp = atMs < 0,
): void {
  const lagUs = lagMs === undefined ? undefined : wholeUs(lagMs);
  const slice = sliceAt(to, atMs);
  if (slice !== undefined) {
    slice.scheduled += 1;
    slice.waiting += 1;
    slice.lagMaxUs = Math.max(slice.lagMaxUs, lagUs ?? 0);
  }
  if (isWarmUp) {
    to.warmUp += 1;
    return;
  }
  operationOf(to.operations, operation).sent += 1;
  if (lagUs !== undefined) to.lag.recordValue(lagUs);
}

/** Counts a request that was scheduled and not sent. */
export function countUnsent(to: Measurement, operation: Operation, atMs: number, why: 'dropped' | 'capped'): void {
  if (atMs < 0) return;
  const slice = sliceAt(to, atMs);
  if (slice !== undefined) slice.scheduled += 1;
  operationOf(to.operations, operation)[why] += 1;
}

/** Counts a request that is over. */
export function countSample(to: Measurement, sample: Sample, isWarmUp = sample.atMs < 0): void {
  const { operation, outcome, atMs, latencyMs } = sample;
  const kind = classOf(outcome, operation);
  const arrivedIn = kind === 'ok' ? sliceAt(to, atMs + latencyMs) : undefined;
  if (arrivedIn !== undefined) {
    operationOf(to.operations, operation).arrived += 1;
    arrivedIn.arrived += 1;
  }
  const slice = sliceAt(to, atMs);
  if (slice !== undefined) {
    slice.waiting = Math.max(0, slice.waiting - 1); // a request that could not be sent never waited
    slice.classes.set(kind, (slice.classes.get(kind) ?? 0) + 1);
    if (isLatency(kind)) foundIn(slice.latency, operation, createBucketCounts).add(bucketOf(wholeUs(latencyMs)));
  }
  if (isWarmUp) return;
  countOutcome(operationOf(to.operations, operation).outcomes, sample);
  to.slowest.offer(sample);
  if (sample.phases !== undefined) countPhases(to.phases, sample.phases);
}

function isMeasured({ endMs }: Measurement, atMs: number): boolean {
  return atMs >= 0 && atMs < endMs;
}

/** Adds a step, so that it shows even if no user comes to it. */
export function addStep(to: Measurement, name: string, operation: Operation): void {
  to.steps.set(name, { operation, ...emptyMeasure(), slowest: createSlowest() });
}

/** A finished step or flow. Its time may cover several requests. */
export type EndedStep = Omit<EndedRequest, 'operation'>;

/**
 * Counts a step that is over, or with `skipped` one that had nothing to send. What a user of the warm-up did (`isWarmUp`) counts in
 * the throughput alone.
 */
export function countStep(to: Measurement, name: string, ended: 'skipped' | EndedStep, isWarmUp = false): void {
  const measure = to.steps.get(name);
  if (measure === undefined) throw new Error(`a step that was never added: ${name}`);
  if (ended === 'skipped') {
    if (!isWarmUp) measure.dropped += 1;
    return;
  }
  const isOk = classOf(ended.outcome, measure.operation) === 'ok';
  if (isOk && isMeasured(to, ended.atMs + ended.latencyMs)) measure.arrived += 1;
  if (isWarmUp) return;
  measure.sent += 1;
  countOutcome(measure.outcomes, ended);
  measure.slowest.offer({ operation: measure.operation, ...ended });
}

function countOutcome(
  outcomes: Map<Outcome, OutcomeMeasure>,
  { outcome, latencyMs, serviceMs }: Pick<Sample, 'outcome' | 'latencyMs' | 'serviceMs'>,
): void {
  const measure = boundedMeasureOf(outcomes, outcome);
  measure.count += 1;
  measure.latency.recordValue(wholeUs(latencyMs));
  if (serviceMs !== undefined) measure.service.recordValue(wholeUs(serviceMs));
}

/** The slice of an instant; undefined outside the measured part. */
function sliceAt(of: Measurement, atMs: number): Slice | undefined {
  if (!isMeasured(of, atMs)) return undefined;
  const index = Math.min(maxSlices, Math.floor(atMs / of.sliceMs));
  while (of.slices.length <= index)
    of.slices.push({ scheduled: 0, waiting: 0, arrived: 0, classes: new Map(), latency: new Map(), lagMaxUs: 0 });
  return of.slices[index];
}

/** The measure of an operation, an empty one at first. */
export function operationOf(of: Measurement['operations'], operation: Operation): OperationMeasure {
  return foundIn(of, operation, emptyMeasure);
}

/** What a map has under that key, or after this call has. */
function foundIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function emptyMeasure(): OperationMeasure {
  return { sent: 0, dropped: 0, capped: 0, arrived: 0, outcomes: new Map() };
}

/** The measure of an outcome, an empty one at first. */
export function measureOf(outcomes: Map<Outcome, OutcomeMeasure>, outcome: Outcome): OutcomeMeasure {
  return foundIn(outcomes, outcome, () => ({
    outcome,
    count: 0,
    latency: createHistogram(),
    service: createHistogram(),
  }));
}

function boundedMeasureOf(outcomes: Map<Outcome, OutcomeMeasure>, outcome: Outcome): OutcomeMeasure {
  const isOneOfMany = outcomes.size >= maxOutcomes && typeof outcome === 'number';
  return outcomes.get(outcome) ?? measureOf(outcomes, isOneOfMany ? Math.floor(outcome / 100) * 100 : outcome);
}
