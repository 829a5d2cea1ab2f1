import { randomInt } from 'node:crypto';
import { withDeclaredEffects } from '../engine/declared-effects.ts';
import { judgeAll } from '../suites/run/judge-all.ts';
import { createRedactor } from '../core/redact.ts';
import { createSession } from '../engine/session/session.ts';
import { usedUp } from '../engine/session/used-up.ts';
import { buildRecord } from '../reports/record/build.ts';
import { checkRecord } from '../reports/record/check-record.ts';
import { observationRecord } from '../reports/record/observation-record.ts';
import type { CheckRecord, RunRecord } from '../reports/record/record.ts';
import { usedUpRecord } from '../reports/record/used-up-record.ts';
import { watches } from '../suites/errors/watches.ts';
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
    /** Ends the run early: its record is that of an interrupted run, with the verdicts that there are. */
    readonly signal?: AbortSignal;
    /** Is told of every check when it is done, and how many there are. */
    readonly onCheck?: (check: CheckRecord, done: number, of: number) => void;
  };

/**
 * Judges a deployment and gives the record of the run. Reads nothing but the target file, writes and prints nothing, and
 * listens to no signal of the process. Rejects with {@link CannotRun}; whatever a deployment does is in the record.
 */
export async function run(target: TargetSource, options: RunOptions = {}): Promise<RunRecord> {
  const { seed = randomInt(2 ** 32), strict = false, signal, onCheck, only = [] } = options;
  const { all, selected } = await chosenChecks(options);
  const open = await openTarget(target, options, signal);
  try {
    const startedAt = open.clock.now();
    const session = createSession({ ...open, target: withDeclaredEffects(open.target, selected), seed, watches });
    const { unusable, notes } = await diagnose(session);
    if (unusable !== undefined && signal?.aborted !== true) throw new CannotRun('unreachable', unusable);

    const { name, baseUrl } = session.target;
    const redactor = createRedactor(session.target.principals);
    const done: CheckRecord[] = [];
    await judgeAll(selected, session, signal, (check, verdict, durationMs) => {
      const record = checkRecord(check, verdict, durationMs, { baseUrl, redactor, strict });
      done.push(record);
      onCheck?.(record, done.length, selected.length);
    });
    return buildRecord(all, selected, done, {
      target: { name, baseUrl },
      seed,
      strict,
      only: [...only],
      startedAt,
      durationMs: open.clock.now() - startedAt,
      requests: session.sender.sent(),
      observations: session.observations().map((observation) => observationRecord(observation, baseUrl, redactor)),
      usedUp: usedUpRecord(usedUp(session)),
      notes: [...open.notes, ...notes],
      problems: [],
      interrupted: signal?.aborted === true,
      waivers: [],
    });
  } finally {
    open.close();
  }
}
