import { parentPort } from 'node:worker_threads';
import { doJob, type Job } from './jobs.ts';

// A worker does one job after the other, and asks for the next by answering the last.
parentPort?.on('message', (job: Job) => {
  doJob(job, (alarm) => parentPort?.postMessage({ alarm })).then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ failure: error instanceof Error ? error.stack : String(error) }),
  );
});
