import type { Listener } from '../load/open-engine.ts';
import { startValidator } from '../load/validator.ts';
import { type Figure, figure } from './figure.ts';
import { openRun } from './run-engines.ts';
import { startRawServer } from './start-raw-server.ts';

const durationMs = 4000;
const ratePerSecond = 2000;

/** What holding every answer against the schemas costs in CPU, all threads together. */
export async function validationCost(): Promise<readonly Figure[]> {
  const same = await startRawServer('same');
  const none = await cpuMs(same.url, () => {});
  const repeatedBy = await startValidator(1, 1);
  const repeated = await cpuMs(same.url, repeatedBy.offer);
  await repeatedBy.end(5000);
  await same.close();
  const distinct = await startRawServer('distinct');
  const bare = await cpuMs(distinct.url, () => {});
  const distinctBy = await startValidator(1, 1);
  const judged = await cpuMs(distinct.url, distinctBy.offer);
  const { checked, answers } = await distinctBy.end(5000);
  await distinct.close();
  return [
    figure(
      'validation, CPU for repeated answers',
      `× ${(repeated / none).toFixed(2)}`,
      '≤ 1.1',
      repeated / none <= 1.1,
    ),
    figure(
      'validation, CPU for distinct answers',
      `× ${(judged / bare).toFixed(2)} (${checked} of ${answers} judged)`,
      '≤ 2.5',
      judged / bare <= 2.5,
    ),
  ];
}

async function cpuMs(url: string, listener: Listener): Promise<number> {
  const before = process.cpuUsage();
  await openRun({ url, durationMs, listener }, ratePerSecond);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
