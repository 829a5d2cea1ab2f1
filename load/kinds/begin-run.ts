import type { LoadRecord } from '../../reports/load/load-record.ts';
import { watchConditions } from '../judge/abort-condition.ts';
import { buildRecord, type Driven } from '../judge/build-record.ts';
import type { Ending } from '../judge/conclude.ts';
import { createSlowRecords } from '../judge/slow-records.ts';
import { createViolationRecords } from '../judge/violation-records.ts';
import { countOnly, distributionOf, histogramOnly, pointsOf } from '../measure/distribution.ts';
import { type LoadChanges, watchChanges } from '../measure/load-changes.ts';
import { type GeneratorUse, type GeneratorWatch, watchGenerator } from '../measure/generator-watch.ts';
import { type ServerWatch, watchServer } from '../measure/server-metrics.ts';
import { createMeasurement, type Measurement, type Slice } from '../measure/measurement.ts';
import { type Detail, reportProgress } from '../measure/report-progress.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { startValidator, type Validator } from '../validate/validator.ts';

export const connectTimeoutMs = 10_000;
/** How often the conditions that end a run are evaluated. */
const lookMs = 1000;
/** The use of sockets is known when a run is over. */
const noSockets = { cap: 0, peak: 0, waited: 0 };
/** How long the end of a run waits for answers that are not judged yet. */
const judgingPatienceMs = 10_000;

const distributions = { counts: countOnly, points: pointsOf, histograms: histogramOnly } as const;

/** A run from its preparation to its record: what every kind of load does in the same way. */
export type Run = {
  readonly measurement: Measurement;
  readonly listener: Validator['offer'];
  /** Part of every key that the run writes: no two runs share one. */
  readonly runId: string;
  /** The user or a condition of the profile ends the run. */
  readonly signal: AbortSignal;
  /** The measured part begins at this instant of `performance.now()`. */
  readonly begin: (startAt: number) => void;
  /** The measured part is over. */
  readonly stop: () => void;
  readonly end: (driven: Driven) => Promise<LoadRecord>;
};

/** `longestMs` bounds the measured part of a run whose length depends on the answers. */
export async function beginRun(profile: Profile, options: LoadOptions, longestMs = 0): Promise<Run> {
  const { plannedMs } = profile.load;
  const measurement = createMeasurement(plannedMs ?? longestMs, plannedMs ?? Infinity);
  const validator = await startValidator(profile.validate, options.seed);
  const changes = watchChanges(options.target);
  const guard = watchAborts(profile, options, measurement);
  let startAt = 0;
  let watch: GeneratorWatch | undefined;
  let measured: { readonly measuredMs: number; readonly use: GeneratorUse } | undefined;
  let server: ServerWatch | undefined;
  let stopReporting = () => {};

  function stop() {
    if (watch === undefined) throw new Error('a run that was never begun');
    measured ??= { measuredMs: measuredMsOf(measurement, startAt), use: watch.end() };
    return measured;
  }

  const violationSoFar = createViolationRecords(options.target);
  const slowRecord = createSlowRecords(options.target);

  /** The facts that are known during the run. */
  const facts = () => {
    const startedAt = performance.timeOrigin + startAt;
    const soFar = { ending: guard.ending(), server: server?.soFar(), changes: changes.soFar() };
    return { ...options, profile, startedAt, slowRecord, ...soFar };
  };

  function recordOf(generator: GeneratorWatch, slices: readonly Slice[], detail: Detail): LoadRecord {
    return buildRecord({
      ...facts(),
      measuredMs: measuredMsOf(measurement, startAt),
      use: generator.soFar(),
      sockets: noSockets,
      measurement: { ...measurement, slices: [...slices] },
      validation: validator.sofar(),
      violationRecord: violationSoFar,
      distributionOf: distributions[detail],
    });
  }

  return {
    measurement,
    listener: listenerOf(validator, changes),
    runId: `${(options.seed >>> 0).toString(36)}${Math.floor(performance.timeOrigin + performance.now()).toString(36)}`,
    signal: guard.signal,
    begin(at) {
      startAt = at;
      const begun = watchGenerator(at - profile.warmUpMs - performance.now());
      watch = begun;
      server = serverOf(profile, options, at);
      stopReporting = reportProgress(options.onProgress, {
        startAt,
        plannedMs,
        measurement,
        validator,
        recordOf: (slices, detail = 'points') => recordOf(begun, slices, detail),
      });
    },
    stop,
    async end(driven) {
      const result = { ...stop(), ...driven };
      guard.end();
      stopReporting();
      server?.end();
      return buildRecord({
        ...facts(),
        ...result,
        measurement,
        validation: await validator.end(judgingPatienceMs),
        violationRecord: createViolationRecords(options.target),
        distributionOf,
      });
    },
  };
}

/** The time in which a load waits for its last answers is no part of what it measures. */
function measuredMsOf({ endMs }: Measurement, startAt: number): number {
  return Math.min(endMs, Math.max(0, performance.now() - startAt));
}

function listenerOf(validator: Validator, changes: LoadChanges): Run['listener'] {
  return (request, arrived, times) => {
    changes.note(request, arrived.outcome);
    validator.offer(request, arrived, times);
  };
}

/** One part of a divided load reads the metrics of the server. */
function serverOf({ server, load }: Profile, { shard }: LoadOptions, startAt: number): ServerWatch | undefined {
  return server === undefined || shard.index > 1 ? undefined : watchServer(server, startAt, load.plannedMs);
}

/** Ends the run when the user or a condition of the profile asks for it. */
function watchAborts(profile: Profile, options: LoadOptions, measurement: Measurement) {
  const condition = new AbortController();
  const signal = AbortSignal.any([options.signal, condition.signal]);
  let by = '';
  const look = watchConditions(profile.abort, { ...measurement, rateLimitedIsError: profile.rateLimitedIsError });
  const timer = setInterval(() => {
    const reason = look();
    if (reason === undefined || signal.aborted) return;
    by = reason.text;
    condition.abort();
  }, lookMs);
  function ending(): Ending {
    if (options.signal.aborted) return { kind: 'interrupted' };
    return condition.signal.aborted ? { kind: 'aborted', by } : { kind: 'completed' };
  }
  return { signal, ending, end: () => clearInterval(timer) };
}
