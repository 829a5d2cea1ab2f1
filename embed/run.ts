import { randomInt } from 'node:crypto';
import type { CheckRecord, RunRecord } from '../reports/record/record.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';
import { protocolNotes } from '../targets/open-deployment.ts';
import { diagnose } from '../targets/doctor/doctor.ts';
import { CannotRun } from './cannot-run.ts';
import { chosenChecks, type Choice } from './chosen-checks.ts';
import { type InPlace, openTarget, type TargetSource } from './open-target.ts';

export type RunOptions = Choice &
  InPlace & {
    /** Draws the same random values as another run with that seed; a new one is drawn without it. */
    readonly seed?: number;
    /** Counts a violated should as failed. */
    readonly strict?: boolean;
    /** Ends the run early: its record is that of an interrupted run, with the verdicts so far. */
    readonly signal?: AbortSignal;
    /** Called with every finished check, the number of finished checks, and the number of all checks. */
    readonly onCheck?: (check: CheckRecord, done: number, of: number) => void;
  };

/**
 * Judges a deployment and returns the record of the run. It reads only the target file, writes and prints nothing, and
 * listens to no signal of the process. Rejects with {@link CannotRun}; all failures of a deployment are in the record.
 */
export async function run(target: TargetSource, options: RunOptions = {}): Promise<RunRecord> {
  const { seed = randomInt(2 ** 32), strict = false, signal, onCheck, only = [] } = options;
  const { all, selected } = await chosenChecks(options);
  const open = await openTarget(target, options, signal);
  try {
    const session = openSession({ ...open, seed }, selected);
    const { unusable, notes } = await diagnose(session, open.advise);
    if (unusable !== undefined && signal?.aborted !== true) throw new CannotRun('unreachable', unusable);
    let done = 0;
    return await runSuite(session, selected, {
      all,
      strict,
      only: [...only],
      signal,
      notes: [...open.notes, ...protocolNotes(open), ...notes],
      onCheck: (check) => {
        done += 1;
        onCheck?.(check, done, selected.length);
      },
    });
  } finally {
    open.close();
  }
}
