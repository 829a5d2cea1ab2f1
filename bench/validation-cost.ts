import { median } from '../load/compare/statistics/median.ts';
import type { Listener } from '../load/engine/open-engine.ts';
import { startValidator } from '../load/validate/validator.ts';
import { type Figure, figure } from './setup/figure.ts';
import { openRun } from './setup/run-engines.ts';
import { startRawServer } from './setup/start-raw-server.ts';

const rounds = 3;
const durationMs = 2000;
const ratePerSecond = 2000;

/** The CPU time of checking every answer against the schemas, in all threads. */
export async function validationCost(): Promise<readonly Figure[]> {
  const repeated = await costOf('same');
  const distinct = await costOf('distinct');
  return [
    figure('validation, CPU for repeated answers', `× ${repeated.ratio.toFixed(2)}`, '≤ 1.1', repeated.ratio <= 1.1),
    figure(
      'validation, CPU for distinct answers',
      `× ${distinct.ratio.toFixed(2)} (${distinct.checked} of ${distinct.answers} judged)`,
      '≤ 2.5',
      distinct.ratio <= 2.5,
    ),
  ];
}

/** The ratio of runs with and without validation, in turns, after a first run of each that does not count. */
async function costOf(answers: 'same' | 'distinct') {
  const server = await startRawServer(answers);
  const withoutIt: number[] = [];
  const withIt: number[] = [];
  let total = { checked: 0, answers: 0 };
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await cpuMs(server.url, () => {});
    const validator = await startValidator(1, 1);
    const judged = await cpuMs(server.url, validator.offer);
    const { checked, answers: came } = await validator.end(5000);
    if (round === 0) continue;
    withoutIt.push(bare);
    withIt.push(judged);
    total = { checked: total.checked + checked, answers: total.answers + came };
  }
  await server.close();
  return { ratio: median(withIt) / median(withoutIt), ...total };
}

async function cpuMs(url: string, listener: Listener): Promise<number> {
  const before = process.cpuUsage();
  await openRun({ url, durationMs, listener }, ratePerSecond);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
