import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startModelServer } from '../load/calibrate/calibrate.ts';
import { latencyModels } from '../load/calibrate/latency-models.ts';
import { mergeRecords } from '../load/judge/merge.ts';
import { type LoadRecord, loadRecordSchema } from '../reports/load/load-record.ts';
import { type Figure, figure, percent } from './setup/figure.ts';

const script = fileURLToPath(new URL('./setup/shard-process.ts', import.meta.url));
/** Twice the time until every process is ready. */
const headStartMs = 4000;
const mostError = 0.02;

/** Two periods of the latency model. Even arrivals, because random ones would measure chance; answers are not validated. */
const profile = `question: What do shards measure together?
load: { open: { rate: 400, arrivals: constant } }
duration: 20s
warmUp: 500ms
timeout: 5s
validate: 0%
operations: { listModels: { weight: 1, limits: [2] } }
`;

/** What two and four processes measure together on the stalling target, compared with one process. */
export async function shards(): Promise<readonly Figure[]> {
  const server = await startModelServer(latencyModels.stall);
  const whole = await inProcesses(server.url, 1);
  const figures: Figure[] = [];
  for (const count of [2, 4]) {
    const merged = await inProcesses(server.url, count);
    const error = Math.abs(p99(merged) / p99(whole) - 1);
    figures.push(
      figure(
        `${count} shards, requests`,
        `${sent(merged)} of ${sent(whole)}`,
        `${sent(whole)}`,
        sent(merged) === sent(whole),
      ),
      figure(
        '  p99 beside that of one process',
        `${p99(merged).toFixed(0)} and ${p99(whole).toFixed(0)} ms, off ${percent(error)}`,
        `≤ ${percent(mostError)}`,
        error <= mostError,
      ),
    );
  }
  await server.close();
  return figures;
}

async function inProcesses(url: string, of: number): Promise<LoadRecord> {
  const startAt = Date.now() + headStartMs;
  const parts = Array.from({ length: of }, async (_, place) => {
    const child = fork(script);
    child.send({ url, profile, shard: { index: place + 1, of }, startAt });
    const [record] = await once(child, 'message');
    return loadRecordSchema.parse(record);
  });
  const merged = mergeRecords(await Promise.all(parts));
  if (merged.kind === 'refused') throw new Error(merged.reason);
  return merged.record;
}

function sent({ operations }: LoadRecord): number {
  return operations.reduce((sum, operation) => sum + operation.sent, 0);
}

/** Every request is answered alike, so there is one distribution. */
function p99({ operations }: LoadRecord): number {
  return operations[0]?.outcomes[0]?.latency.p99 ?? Number.NaN;
}
