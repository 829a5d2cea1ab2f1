import { startValidator } from '../load/validator.ts';
import { type Figure, figure } from './figure.ts';
import { openRun } from './run-engines.ts';
import { startRawServer } from './start-raw-server.ts';

const sampleMs = 500;
const megabyte = 1024 * 1024;

/** What 1,000 requests a second take of memory, and whether it grows, in so many seconds. */
export async function memory(seconds: number): Promise<readonly Figure[]> {
  const server = await startRawServer('same');
  const validator = await startValidator(1, 1);
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(process.memoryUsage.rss() / megabyte), sampleMs);
  await openRun({ url: server.url, durationMs: seconds * 1000, listener: validator.offer }, 1000);
  clearInterval(timer);
  await validator.end(5000);
  await server.close();
  const most = Math.max(...samples);
  const late = samples.slice(Math.floor(samples.length / 2));
  const growth =
    (mean(late.slice(Math.floor(late.length / 2))) - mean(late.slice(0, Math.floor(late.length / 2)))) /
    (late.length / 2);
  const perMinute = (growth * 60_000) / sampleMs;
  return [
    figure(`memory at 1,000/s for ${seconds} s`, `${most.toFixed(0)} MB at most`, '≤ 200 MB', most <= 200),
    figure('  growth in its second half', `${perMinute.toFixed(1)} MB a minute`, 'none to speak of over ten minutes'),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
