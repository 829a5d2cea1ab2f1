import { calibrate, type Calibration } from '../../load/calibrate/calibrate.ts';
import { calibrationTable } from '../../load/calibrate/calibration-table.ts';
import { latencyModels } from '../../load/calibrate/latency-models.ts';
import type { Context } from '../shared/context.ts';

const plan = [
  { model: latencyModels.constant, arrivals: 'poisson', durationMs: 5000 },
  // Even arrivals: so few random ones would be off by a tenth at p50 themselves.
  { model: latencyModels.blindSpot, arrivals: 'constant', durationMs: 10_000 },
  { model: latencyModels.stall, arrivals: 'constant', durationMs: 20_000 },
] as const;

/** Runs both engines against targets with a known latency model; exit code 4 if this machine is too busy to measure. */
export async function calibrateAndReport(seed: number, { err, out }: Context): Promise<number> {
  const calibrations: Calibration[] = [];
  for (const { model, arrivals, durationMs } of plan) {
    err.write(`${model.name}: ${durationMs / 1000} s with each engine\n`);
    calibrations.push(...(await calibrate({ model, arrivals, ratePerSecond: 200, connections: 10, durationMs, seed })));
  }
  const { text, isTrustworthy } = calibrationTable(calibrations);
  out.write(`\n${text}`);
  return isTrustworthy ? 0 : 4;
}
