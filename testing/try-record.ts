/** For tests: the record of a run in this process and in virtual time, without vitest in between. */
import { virtualClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import { createRedactor } from '../core/redact.ts';
import { runChecks } from '../suites/run/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import type { Target } from '../core/target.ts';
import { createReference } from '../reference/reference.ts';
import { buildRecord } from '../reports/record/build.ts';
import { checkRecord } from '../reports/record/check-record.ts';
import { observationRecord } from '../reports/record/observation-record.ts';
import type { RunRecord, Waiver } from '../reports/record/record.ts';
import { suites } from '../suites/index.ts';
import { selectChecks } from '../suites/plan.ts';
import { watches } from '../suites/errors/watches.ts';

type RecordOptions = {
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  readonly only?: readonly string[];
  readonly waivers?: readonly Waiver[];
  /** Puts another deployment, described by another target, in front of the reference. */
  readonly wrap?: (
    reference: Deployment,
    target: Target,
  ) => { readonly deployment: Deployment; readonly target: Target };
};

export async function recordOfReference(options: RecordOptions = {}): Promise<RunRecord> {
  const {
    faults = [],
    choices = {},
    only = [],
    waivers = [],
    wrap = (deployment, target) => ({ deployment, target }),
  } = options;
  const seed = 1;
  const clock = virtualClock();
  const reference = createReference({ clock, seed, faults, choices });
  const { deployment, target } = wrap(reference.deployment, reference.target);
  const session = createSession({ deployment, target, clock, seed, watches });
  const selected = selectChecks(suites, only);
  const judged = await runChecks(selected, session);
  const redactor = createRedactor(target.principals);
  const { name, baseUrl } = target;
  return buildRecord(
    suites,
    selected,
    judged.map(({ check, verdict }) => checkRecord(check, verdict, 0, { baseUrl, redactor, strict: false })),
    {
      target: { name, baseUrl },
      seed,
      strict: false,
      only: [...only],
      startedAt: 0,
      durationMs: clock.now(),
      requests: session.sender.sent(),
      observations: session.observations().map((observation) => observationRecord(observation, baseUrl, redactor)),
      notes: [],
      problems: [],
      interrupted: false,
      waivers,
    },
  );
}
