import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Job, JobResult } from './jobs.ts';

/** What a worker posts after a job. */
type Reply = { readonly result: JobResult } | { readonly failure: string };

/** Most of what a trial makes is gone when it ends: room for the young spares the collector copying it. */
const resourceLimits = { maxYoungGenerationSizeMb: 256 } as const;

/** Does jobs on `workers` threads; the results come in the order of the jobs, whichever thread did them. */
export async function doJobs(jobs: readonly Job[], workers: number, done: (job: Job) => void): Promise<JobResult[]> {
  const results: (JobResult | undefined)[] = jobs.map(() => undefined);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(workers, jobs.length) }, () => {
      const worker = new Worker(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url), {
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
          const job = jobs[current];
          if ('failure' in reply) reject(new Error(`${job?.kind} failed: ${reply.failure}`));
          else if (job !== undefined) {
            results[current] = reply.result;
            done(job);
            take();
          }
        });
        take();
      });
    }),
  );
  return results.filter((result) => result !== undefined);
}
