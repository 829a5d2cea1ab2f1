import { type Check, phases } from '../engine/check.ts';
import { judge } from '../suites/run/judge.ts';
import { createRedactor } from '../core/redact.ts';
import { createSession } from '../engine/session/session.ts';
import type { Target } from '../core/target.ts';
import { buildRecord } from '../reports/record/build.ts';
import { checkRecord } from '../reports/record/check-record.ts';
import { observationRecord } from '../reports/record/observation-record.ts';
import type { CheckRecord, RunRecord } from '../reports/record/record.ts';
import { revisions } from '../spec/revisions/revisions.ts';
import { suites } from '../suites/index.ts';
import { watches } from '../suites/errors/watches.ts';
import type { World } from './recording/record-world.ts';
import { type RunFile, reportedTarget } from './bundle/run-file.ts';

/** Checks that run side by side, as in any other run. */
const atATime = 8;

/** The checks of the promises of a revision. Those of later promises are not yet scored. */
export function checksOf(revision: number): readonly Check[] {
  const scored: ReadonlySet<string> = new Set(revisions.get(revision)?.requirements);
  return suites.filter(({ requirement }) => scored.has(requirement));
}

/**
 * Judges by a revision, and gives the record. Nothing in it comes from anywhere but the run file and the world, so that
 * the same world gives the same record. `target` has the keys that requests are sent with.
 */
export async function judgeRevision(
  run: RunFile,
  target: Target,
  world: World,
  onCheck: (check: CheckRecord) => void = () => {},
): Promise<RunRecord> {
  const { seed, startedAt, notes, revision } = run;
  const { clock } = world;
  const began = clock.now();
  const session = createSession({ ...world, target, seed, watches });
  const redactor = createRedactor(target.principals);
  const { baseUrl } = target;
  const checks = checksOf(revision.number);
  const done: CheckRecord[] = [];

  async function judgeOne(check: Check): Promise<void> {
    const from = clock.now();
    const verdict = await judge(check, session);
    const record = checkRecord(check, verdict, clock.now() - from, { baseUrl, redactor, strict: false });
    done.push(record);
    onCheck(record);
  }

  for (const phase of phases) {
    const left = checks.filter((check) => check.phase === phase);
    const lanes = Array.from({ length: phase === 'together' ? atATime : 1 }, async () => {
      for (let check = left.shift(); check !== undefined; check = left.shift()) await judgeOne(check);
    });
    await Promise.all(lanes);
  }
  return buildRecord(suites, checks, done, {
    target: reportedTarget(run),
    seed,
    strict: false,
    only: [],
    startedAt: Date.parse(startedAt),
    durationMs: clock.now() - began,
    requests: session.sender.sent(),
    observations: session.observations().map((observation) => observationRecord(observation, baseUrl, redactor)),
    notes,
    waivers: [],
    problems: [],
    interrupted: false,
  });
}
