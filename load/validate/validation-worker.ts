import { parentPort } from 'node:worker_threads';
import { doJob, type Job, type JobResult } from './validation-job.ts';

/** Judges answers beside the thread that sends, so that no verdict delays a request. */
parentPort?.on('message', (jobs: readonly Job[]) => {
  void doJobs(jobs).then((results) => parentPort?.postMessage(results));
});
parentPort?.postMessage('ready');

/** One after the other, so that only one body is unpacked at a time. */
async function doJobs(jobs: readonly Job[]): Promise<readonly JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs) results.push(await doJob(job));
  return results;
}
