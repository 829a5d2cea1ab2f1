import type { Exchange } from '../core/exchange.ts';
import type { Check } from '../engine/check.ts';
import { redactorOf } from '../core/redaction/redact.ts';
import type { Target } from '../core/target.ts';
import type { CheckRecord, RunRecord } from '../reports/record/record.ts';
import { excludedChecks } from '../spec/errata.ts';
import type { Revision } from '../spec/revisions/revision.ts';
import { revisions } from '../spec/revisions/revisions.ts';
import { suites } from '../suites/index.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';
import type { World } from './recording/record-world.ts';
import type { Recording } from './recording/recording.ts';
import { redactRequest } from './recording/redact-recording.ts';
import { type Replayed, replayWorld } from './recording/replay-world.ts';
import { reportedTarget, standInTarget } from './bundle/run-file.ts';
import type { RunFile } from './bundle/run-file-schema.ts';

type ScoredRevision = Pick<Revision, 'requirements' | 'errata'>;

/**
 * The checks for the requirements of a revision, without those that its errata exclude. Checks for later requirements do not count
 * yet, and no recording shows an outage. `known`: how many errata count; those of later bundles do not change what a run sent.
 */
export function checksOf({ requirements, errata }: ScoredRevision, known = errata.length): readonly Check[] {
  const scored: ReadonlySet<string> = new Set(requirements);
  const excluded = excludedChecks(errata.slice(0, known));
  return suites.filter(
    ({ id, requirement, phase }) => phase !== 'outage' && scored.has(requirement) && !excluded.has(id),
  );
}

/** What to hear of a run while it is judged. */
export type Watched = {
  readonly onCheck?: ((check: CheckRecord) => void) | undefined;
  readonly onEvidence?: OnEvidence | undefined;
};

/** Receives the exchanges of each check when it ends, for those who show more than verdicts. */
export type OnEvidence = (checkId: string, exchanges: readonly Exchange[]) => void;

/**
 * The same checks, which hand over their exchanges. Each returns the promise of its check: a promise around it would settle later, and
 * then checks that wait for the same answer could go on in another order than in the recording.
 */
export function withEvidence(checks: readonly Check[], onEvidence: OnEvidence): readonly Check[] {
  return checks.map((check) => ({
    ...check,
    run(api) {
      const ended = check.run(api);
      const handOver = () => onEvidence(check.id, api.exchanges);
      ended.then(handOver, handOver);
      return ended;
    },
  }));
}

/**
 * Judges by a revision and returns the record, which depends only on the run file and the world: the same world gives the
 * same record. `target` holds the keys to send.
 */
export function judgeRevision(
  run: RunFile,
  target: Target,
  world: World,
  { onCheck, onEvidence }: Watched = {},
): Promise<RunRecord> {
  const revision = revisions.get(run.revision.number);
  const revised = revision === undefined ? [] : checksOf(revision, run.revision.errata ?? 0);
  const checks = onEvidence === undefined ? revised : withEvidence(revised, onEvidence);
  const session = openSession({ ...world, target, seed: run.seed, outages: {} }, checks);
  const startedAt = Date.parse(run.startedAt);
  return runSuite(session, checks, { target: reportedTarget(run), startedAt, notes: run.notes, onCheck });
}

/** Judges a run again from its recording with the suite of today. It sends nothing, and no time passes. */
export function judgeRecording(
  run: RunFile,
  recording: Recording,
  watched: Watched = {},
): Promise<Replayed<RunRecord>> {
  const target = standInTarget(run);
  const redactor = redactorOf(target);
  return replayWorld(
    recording,
    (request) => redactRequest(request, redactor),
    (world) => judgeRevision(run, target, world, watched),
  );
}
