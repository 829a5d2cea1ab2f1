import { theilSen } from '../load/compare/statistics/theil-sen.ts';
import { type Figure, figure } from './setup/figure.ts';
import { watchLoad } from './setup/watch-load.ts';

/** A run keeps about 8 KB a second for each operation, for at most 600 slices. */
const mostGrowthPerMinute = 1;

const profileOf = (seconds: number) => `question: What does it take to send 1,000 requests a second?
load: { open: { rate: 1000 } }
duration: ${seconds}s
operations: { listModels: { weight: 1, limits: [2] } }
`;

/**
 * The memory of `awc load` at 1,000 requests a second, from its start to its report, and whether it grows. It covers the
 * whole command with its validation, as a user runs it, but not the reference, which has its own process. Linux only,
 * because it reads /proc.
 */
export async function memory(seconds: number): Promise<readonly Figure[]> {
  const { samplesMb, mostMb } = await watchLoad(profileOf(seconds));
  const perMinute = theilSen(samplesMb.slice(Math.floor(samplesMb.length / 2))).slope * 60;
  return [
    figure(`memory at 1,000/s for ${seconds} s`, `${mostMb.toFixed(0)} MB at most`, '≤ 200 MB', mostMb <= 200),
    figure(
      '  growth in its second half',
      `${perMinute.toFixed(1)} MB a minute`,
      `≤ ${mostGrowthPerMinute}: no more than its time series`,
      perMinute <= mostGrowthPerMinute,
    ),
  ];
}
