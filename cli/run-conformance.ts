import { createRedactor } from '../harness/redact.ts';
import type { Target } from '../harness/target.ts';
import { buildRecord } from '../reports/build.ts';
import type { CheckRecord, RunRecord } from '../reports/record.ts';
import { suites } from '../suites/index.ts';
import { type RunPlan, selectChecks } from '../suites/plan.ts';
import { collectVerdicts } from './collect-verdicts.ts';
import { runInVitest } from './run-in-vitest.ts';

export type RunOptions = {
  readonly plan: RunPlan;
  readonly target: Target;
  /** What the reader should know of the target file and the keys. */
  readonly notes: readonly string[];
  /** Requests that were sent to the target before. */
  readonly requestsBefore: number;
  /** Is told of every check when it is done. */
  readonly onCheck: (check: CheckRecord) => void;
};

/**
 * Runs the suite and gives its record. SIGINT and SIGTERM end the run early, and the record says so. Touches no file but
 * in a temporary folder of its own.
 */
export async function runConformance(options: RunOptions): Promise<RunRecord> {
  const { plan, target, notes, requestsBefore, onCheck } = options;
  const { deployment, seed, strict, only } = plan;
  const selected = selectChecks(suites, only);
  const startedAt = Date.now();
  const collected = collectVerdicts(selected, createRedactor(target.principals), onCheck);
  const interrupted = await runInVitest(plan, collected.reporter);
  const embedded =
    deployment.kind === 'embedded'
      ? { embedded: { faults: [...deployment.faults], choices: { ...deployment.choices } } }
      : {};
  return buildRecord(suites, selected, collected.checks, {
    target: { name: target.name, baseUrl: target.baseUrl, ...embedded },
    seed,
    strict,
    only: [...only],
    startedAt,
    durationMs: Date.now() - startedAt,
    requests: requestsBefore + collected.requests(),
    observations: collected.observations,
    notes: [...notes],
    problems: collected.problems,
    interrupted,
  });
}
