import { parentPort } from 'node:worker_threads';
import { doJob, type Job } from './validation-job.ts';

/** Judges answers beside the thread that sends, so that no verdict delays a request. */
parentPort?.on('message', (jobs: readonly Job[]) => {
  void Promise.all(jobs.map(doJob)).then((results) => parentPort?.postMessage(results));
});
parentPort?.postMessage('ready');
