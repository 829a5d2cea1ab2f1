import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { theilSen } from '../load/compare/statistics/theil-sen.ts';
import { type Figure, figure } from './setup/figure.ts';

const sampleMs = 1000;
const awc = new URL('../cli/awc.mjs', import.meta.url).pathname;
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
  const folder = await mkdtemp(join(tmpdir(), 'awc-bench-'));
  const file = join(folder, 'thousand.yaml');
  await writeFile(file, profileOf(seconds));
  const { samples, mostMb } = await watched(['load', '--profile', file, '--out', folder]);
  await rm(folder, { recursive: true });
  const late = samples.slice(Math.floor(samples.length / 2));
  const perMinute = (theilSen(late).slope * 60_000) / sampleMs;
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

async function watched(args: readonly string[]) {
  const child = spawn(process.execPath, [awc, ...args], { stdio: 'ignore' });
  const samples: number[] = [];
  let mostMb = 0;
  const look = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const megabytes = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    if (megabytes('VmRSS') > 0) samples.push(megabytes('VmRSS'));
    mostMb = Math.max(mostMb, megabytes('VmHWM'));
  };
  const timer = setInterval(() => void look(), sampleMs);
  await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  return { samples, mostMb };
}
