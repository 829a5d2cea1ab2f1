import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ownModule } from '../../core/own-module.ts';
import type { Job, JobResult } from './validation-job.ts';
import { createValidationDesk, type ValidationDesk, type ValidationResult } from './validation-desk.ts';

export type Validator = {
  readonly offer: ValidationDesk['offer'];
  /** What is known now. */
  readonly sofar: () => ValidationResult;
  /** Waits for what is still to be judged, at most so long, and ends the thread. */
  readonly end: (patienceMs: number) => Promise<ValidationResult>;
};

const lookMs = 10;
/** Answers are handed over together: to wake a thread for each takes as long as to judge it. */
const gatherMs = 5;

const workerUrl = ownModule('load/validate/validation-worker');

/** Holds a share of all answers, 0 to 1, against schemas and invariants, in a thread of its own. */
export async function startValidator(share: number, seed: number): Promise<Validator> {
  const worker = share > 0 ? new Worker(workerUrl) : undefined;
  let jobs: Job[] = [];
  const hand = () => {
    worker?.postMessage(jobs);
    jobs = [];
  };
  const desk = createValidationDesk(share, seed, (job) => {
    if (jobs.push(job) === 1) setTimeout(hand, gatherMs);
  });
  let isBroken = false;
  worker?.on('error', () => {
    isBroken = true; // what it had not judged stays unjudged, and is counted as that
  });
  if (worker !== undefined) await once(worker, 'message');
  worker?.on('message', (results: readonly JobResult[]) => results.forEach(desk.settle));

  async function end(patienceMs: number): Promise<ValidationResult> {
    const giveUpAt = performance.now() + patienceMs;
    while (desk.waiting() > 0 && !isBroken && performance.now() < giveUpAt) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
    const result = desk.result();
    await worker?.terminate();
    return result;
  }

  return { offer: desk.offer, sofar: desk.result, end };
}
