import { Worker } from 'node:worker_threads';
import { ownModule } from '../core/own-module.ts';
import type { Job, JobResult } from './jobs.ts';
import type { FalseAlarm } from './sweep.ts';

/** What a worker posts: a false alarm during a job, and one of the others after it. */
type Reply = { readonly alarm: FalseAlarm } | { readonly result: JobResult } | { readonly failure: string };

export type JobEvents = {
  /** Called after each job. */
  readonly done?: () => void;
  /** Called with each false alarm before it is shrunk. */
  readonly found?: (alarm: FalseAlarm) => void;
};

/** Most of what a trial makes is gone when it ends: room for the young spares the collector copying it. */
const resourceLimits = { maxYoungGenerationSizeMb: 256 } as const;

/** Does jobs on `workers` threads; the results come in the order of the jobs, whichever thread did them. */
export async function doJobs(
  jobs: readonly Job[],
  workers: number,
  { done, found }: JobEvents = {},
): Promise<JobResult[]> {
  const results: (JobResult | undefined)[] = jobs.map(() => undefined);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(workers, jobs.length) }, () => {
      const worker = new Worker(ownModule('proof/worker'), {
        resourceLimits,
      });
      return new Promise<void>((resolve, reject) => {
        let current = -1;
        const take = () => {
          current = next;
          next += 1;
          if (current >= jobs.length) void worker.terminate().then(() => resolve());
          else worker.postMessage(jobs[current]);
        };
        worker.on('error', reject);
        worker.on('message', (reply: Reply) => {
          if ('alarm' in reply) found?.(reply.alarm);
          else if ('failure' in reply) reject(new Error(`${jobs[current]?.kind} failed: ${reply.failure}`));
          else {
            results[current] = reply.result;
            done?.();
            take();
          }
        });
        take();
      });
    }),
  );
  return results.filter((result) => result !== undefined);
}
