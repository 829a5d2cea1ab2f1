import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { Validator } from '../validate/validator.ts';
import type { Measurement, Slice } from './measurement.ts';

/** The progress of a run. */
export type LoadProgress = {
  /** Since the measured part began; below 0 in the warm-up. */
  readonly elapsedMs: number;
  /** Undefined if the answers decide how long the run takes. */
  readonly plannedMs: number | undefined;
  readonly measurement: Measurement;
  /** Answers that broke a requirement so far. */
  readonly broken: number;
};

/** What a run reports about once a second. */
export type ProgressReport = LoadProgress & {
  /** The record so far, with only the given slices, because building all slices of a long run takes long. */
  readonly recordOf: (slices: readonly Slice[], detail?: Detail) => LoadRecord;
};

/** What the distributions of a record hold beside their counts: nothing, percentiles, or histograms, which can be merged. */
export type Detail = 'counts' | 'points' | 'histograms';

export type ReportedRun = Pick<ProgressReport, 'plannedMs' | 'measurement' | 'recordOf'> & {
  readonly validator: Pick<Validator, 'sofar'>;
  /** When the measured part begins, on `performance.now()`. */
  readonly startAt: number;
};

const progressMs = 1000;

/** Reports the progress of a run about once a second, until the returned function is called. */
export function reportProgress(
  onProgress: (progress: ProgressReport) => void,
  { startAt, validator, ...run }: ReportedRun,
): () => void {
  const timer = setInterval(() => {
    const { broken } = validator.sofar();
    onProgress({ ...run, elapsedMs: performance.now() - startAt, broken });
  }, progressMs);
  return () => clearInterval(timer);
}
