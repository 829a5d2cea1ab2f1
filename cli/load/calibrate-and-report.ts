import { calibrate, type Calibration } from '../../load/calibrate/calibrate.ts';
import { calibrationTable } from '../../load/calibrate/calibration-table.ts';
import { laws } from '../../load/calibrate/laws.ts';
import type { Context } from '../shared/context.ts';

const plan = [
  { law: laws.constant, arrivals: 'poisson', durationMs: 5000 },
  // Random ones would be off by a tenth at p50 themselves: so few of them tell no better.
  { law: laws.blindSpot, arrivals: 'constant', durationMs: 10_000 },
  { law: laws.stall, arrivals: 'constant', durationMs: 20_000 },
] as const;

/** Both engines against targets of known law, true against reported; 4 when this machine cannot measure now. */
export async function calibrateAndReport(seed: number, { err, out }: Context): Promise<number> {
  const calibrations: Calibration[] = [];
  for (const { law, arrivals, durationMs } of plan) {
    err.write(`${law.name}: ${durationMs / 1000} s with each engine\n`);
    calibrations.push(...(await calibrate({ law, arrivals, ratePerSecond: 200, connections: 10, durationMs, seed })));
  }
  const { text, isTrustworthy } = calibrationTable(calibrations);
  out.write(`\n${text}`);
  return isTrustworthy ? 0 : 4;
}
