import { faults } from '../reference/faults/faults.ts';
import { crossed, type CrossedResult } from './crossed.ts';
import { type KillRow, ownKillRow, wholeKillRow } from './kill.ts';
import { type FalseAlarm, sweep, type SweepResult } from './sweep.ts';
import { timeTrial, type Trial } from './trial.ts';

/** The checks that a fault is tried on: all there are, or those of the requirement that it breaks. */
type Against = 'all checks' | 'its own checks';

/** A piece of the proof that a worker does alone: plain data, so that it can be handed over. */
export type Job =
  | { readonly kind: 'kill'; readonly fault: string; readonly seed: number; readonly against: Against }
  | { readonly kind: 'crossed'; readonly fault: string; readonly seed: number; readonly cases: number }
  | { readonly kind: 'sweep'; readonly seed: number; readonly cases: number }
  | { readonly kind: 'time'; readonly trial: Trial };

export type JobResult =
  | { readonly kind: 'kill'; readonly row: KillRow }
  | { readonly kind: 'crossed'; readonly result: CrossedResult }
  | { readonly kind: 'sweep'; readonly result: SweepResult }
  | { readonly kind: 'time'; readonly seconds: number };

/** `found` gets a false alarm before it is shrunk. */
export async function doJob(job: Job, found: (alarm: FalseAlarm) => void): Promise<JobResult> {
  switch (job.kind) {
    case 'kill': {
      const row = job.against === 'all checks' ? wholeKillRow : ownKillRow;
      return { kind: 'kill', row: await row(faultNamed(job.fault), job.seed) };
    }
    case 'crossed':
      return { kind: 'crossed', result: await crossed(faultNamed(job.fault), job.seed, job.cases) };
    case 'sweep':
      return { kind: 'sweep', result: await sweep(job.seed, job.cases, found) };
    case 'time':
      return { kind: 'time', seconds: (await timeTrial(job.trial)).seconds };
  }
}

function faultNamed(name: string) {
  const fault = faults.find((candidate) => candidate.name === name);
  if (fault === undefined) throw new Error(`no fault ${name}`);
  return fault;
}
