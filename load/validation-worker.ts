import { parentPort } from 'node:worker_threads';
import { doJob, type Job } from './validation-job.ts';

/** Judges answers beside the thread that sends, so that no verdict delays a request. */
parentPort?.on('message', (job: Job) => {
  void doJob(job).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');
