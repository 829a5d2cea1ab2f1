import { plainOptions } from '../testing/plain-options.ts';
import { parseProfile } from '../load/profile/profile-file.ts';
import { benchTarget } from './setup/bench-target.ts';
import { type Figure, figure, percent } from './setup/figure.ts';
import { queue, queueCeiling, startRawServer } from './setup/start-raw-server.ts';

/** Like the shipped profile, with a narrower range: finding the range takes time and shows nothing. */
const profile = parseProfile(
  `question: Where does it break?
load: { capacity: { from: 50, to: 1000, trial: 4s, repeats: 2, precision: 5% } }
warmUp: 500ms
timeout: 5s
operations: { listModels: { weight: 1, limits: [2] } }
thresholds: [errors.rate < 1%, latency.p95 < 250ms]
`,
  'capacity.yaml',
  {},
);

/** The result of the search on a target with a known ceiling. */
export async function capacity(): Promise<readonly Figure[]> {
  const server = await startRawServer('queue');
  const record = await profile.load.run(profile, plainOptions(benchTarget(server.url)));
  await server.close();
  const { result, trials = [] } = record.capacity ?? {};
  const name = `capacity of ${queue.servers} at a time, ${queue.serviceMs} ms each`;
  const wanted = `within 10% of ${queueCeiling}/s`;
  if (result?.kind !== 'found') return [figure(name, record.sentence, wanted, false)];
  const { lowPerSecond, highPerSecond } = result.interval;
  const error = Math.abs(result.ratePerSecond / queueCeiling - 1);
  const interval = `${lowPerSecond.toFixed(0)} to ${highPerSecond.toFixed(0)}`;
  return [
    figure(
      name,
      `${result.ratePerSecond}/s (${interval}), ${trials.length} trials, off ${percent(error)}`,
      wanted,
      error <= 0.1,
    ),
  ];
}
