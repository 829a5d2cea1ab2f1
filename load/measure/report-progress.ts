import type { Validator } from '../validate/validator.ts';
import type { Measurement } from './measurement.ts';

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

export type ReportedRun = Pick<LoadProgress, 'plannedMs' | 'measurement'> & {
  readonly validator: Pick<Validator, 'sofar'>;
  /** When the measured part begins, on `performance.now()`. */
  readonly startAt: number;
};

const progressMs = 1000;

/** Reports the progress of a run about once a second, until the returned function is called. */
export function reportProgress(
  onProgress: (progress: LoadProgress) => void,
  { startAt, plannedMs, measurement, validator }: ReportedRun,
): () => void {
  const timer = setInterval(() => {
    const { broken } = validator.sofar();
    onProgress({ elapsedMs: performance.now() - startAt, plannedMs, measurement, broken });
  }, progressMs);
  return () => clearInterval(timer);
}
