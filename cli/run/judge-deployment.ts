import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { nearest } from '../../core/names/nearest.ts';
import { renderJunit } from '../../reports/run/junit.ts';
import { renderHtml } from '../../reports/run/page/html.ts';
import { safeJson } from '../../reports/text/safe-json.ts';
import type { DeploymentPlan } from '../../targets/open-deployment.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import type { RunEvent } from '../../reports/record/run-event.ts';
import type { Check } from '../../engine/check.ts';
import { suites } from '../../suites/index.ts';
import { type RunPlan, selectChecks } from '../../suites/plan.ts';
import type { Context } from '../shared/context.ts';
import { announcement } from './announcement.ts';
import { forecast, usualLatency } from './forecast.ts';
import type { LivePage } from '../live/open-live-page.ts';
import { showRun } from './live-run-page.ts';
import { lookAt } from './look-at.ts';
import { showProgress } from './progress.ts';
import { readSuites } from './read-suites.ts';
import { runConformance, type RunOptions } from './run-conformance.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';
import { type HookedPlan, unlessInterrupted, withHooks } from '../hooks/with-hooks.ts';

/** A forecast takes a second or two of the machine, which a run of less than this would miss, in milliseconds. */
const leastForecastMs = 60_000;

const tooEarly = 'interrupted before anything was judged: there is no report.';

/** How a deployment is to be judged. */
type Judging = Pick<RunPlan, 'strict' | 'only' | 'suites'> &
  Pick<RunOptions, 'waivers' | 'bail' | 'onEvent'> & {
    readonly seed?: number | undefined;
    /** How long the command may take, in milliseconds; unlimited if undefined. */
    readonly budgetMs?: number | undefined;
    /** Adds to the record before it is written. */
    readonly extend?: ((record: RunRecord) => Promise<RunRecord>) | undefined;
    /** Where the run can be watched. */
    readonly page?: LivePage | undefined;
  };

/**
 * Judges a deployment and shows its progress on standard error. Rejects with UserError before it sends anything if the plan
 * is wrong, and with exit code 3 if the deployment cannot be judged.
 */
async function judgeDeployment(
  { deployment, signal }: HookedPlan,
  { strict, only, suites: folder, waivers, budgetMs, bail, onEvent, page, ...options }: Judging,
  { err, startedAt }: Pick<Context, 'err' | 'startedAt'>,
): Promise<RunRecord> {
  // The embedded reference is deterministic, so it gets the same seed every time; other deployments get new values.
  const seed = options.seed ?? (deployment.kind === 'embedded' ? 1 : randomInt(2 ** 32));
  const opened = { deployment, seed };
  const { target, notes, diagnosis, outages } = await unlessInterrupted(signal, lookAt(opened), tooEarly);
  if (diagnosis.unusable !== undefined) throw new UserError(diagnosis.unusable, 3);
  const selected = selectChecks(await readSuites(folder), only);
  const planned = { target, checks: selected, latencyMs: usualLatency(diagnosis), seed, outages };
  const endsAt = budgetMs === undefined ? undefined : startedAt + budgetMs;
  // The embedded reference takes only a second or two, so it needs no forecast; a short budget leaves no time for one.
  const isForecast = deployment.kind !== 'embedded' && (budgetMs ?? Number.POSITIVE_INFINITY) >= leastForecastMs;
  const expected = isForecast ? await forecast(planned) : undefined;
  if (expected !== undefined) err.write(announcement(expected, selected.length, budgetMs));
  const plan: RunPlan = {
    ...opened,
    strict,
    only,
    suites: folder,
    endsAt,
    preflight: false,
    answered: diagnosis.answered,
  };
  const progress = showProgress(err, selected, expected);
  const showLive = page && showRun(page, selected, waivers);
  const onEach = (event: RunEvent) => {
    if (event.event === 'verdict') progress.onCheck(event.check);
    showLive?.(event);
    onEvent(event);
  };
  const requestsBefore = diagnosis.requests;
  const record = await runConformance({ plan, target, notes, requestsBefore, waivers, bail, onEvent: onEach, signal });
  progress.end();
  return record;
}

/**
 * Judges a deployment between its setup and its teardown. Writes the reports, if there is a folder, before the teardown, so
 * that a failing teardown cannot lose them.
 */
export async function judgeIntoFolder(
  deployment: DeploymentPlan,
  folder: string | undefined,
  judging: Judging,
  context: Context,
): Promise<RunRecord> {
  return withHooks(deployment, folder, context, async (plan) => {
    const judged = await judgeDeployment(plan, judging, context);
    const record = (await judging.extend?.(judged)) ?? judged;
    judging.page?.show({ kind: 'run', record, live: undefined, clock: '' });
    if (folder === undefined) return record;
    await writeWhole(join(folder, 'report.json'), safeJson(record));
    await writeWhole(join(folder, 'junit.xml'), renderJunit(record));
    if (judging.page !== undefined) await writeWhole(join(folder, 'report.html'), renderHtml(record));
    return record;
  });
}

/** Throws UserError for a pattern that matches no check. */
export function mustFit(only: readonly string[], checks: readonly Check<string>[] = suites): void {
  for (const pattern of only) {
    if (selectChecks(checks, [pattern]).length > 0) continue;
    const ids = new Set(checks.flatMap(({ id, requirement }) => [requirement, id]));
    const near = nearest(pattern.slice(0, 100), [...ids]);
    throw new UserError(`no check matches --only ${pattern}. The nearest: ${near.join(', ')}.`);
  }
}
