import { randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import { wholeLoad } from '../../load/schedule/arrivals.ts';
import type { PerFigure } from '../../load/compare/render/figure.ts';
import type { Spread } from '../../load/compare/statistics/spread.ts';
import type { JoinedLoad } from '../../load/gather/join-load.ts';
import { renderCapacity } from '../../load/kinds/capacity/render-capacity.ts';
import { loadExitCode } from '../../reports/load/load-exit-code.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { renderLoadTerminal } from '../../reports/load/load-terminal.ts';
import { type ExitCode, worstExitCode } from '../../reports/record/exit-code.ts';
import type { DeploymentPlan } from '../../targets/open-deployment.ts';
import { withHooks } from '../hooks/with-hooks.ts';
import { withLivePage } from '../live/open-live-page.ts';
import { withOtlpPush } from '../otlp/push-otlp.ts';
import { deploymentOf } from '../run/deployment-of.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import { makeFolder } from '../shared/write-whole.ts';
import { announcement, refuseUnlessAllowed, shapeOf } from './announce-load.ts';
import type { ComparisonOptions } from './comparison-options.ts';
import { type LoadsShown, showLoads } from './live-load-page.ts';
import { type OpenHistory, openHistory } from './load-history.ts';
import { settleMemory } from './load-memory.ts';
import { type LoadPlan, planLoad } from './load-plan.ts';
import type { LoadCommandOptions } from './load-options.ts';
import { type OpenedTarget, openLoadTarget } from './open-load-target.ts';
import { createRateCaps, type RateCaps } from './rate-caps.ts';
import { reportComparison } from './report-comparison.ts';
import { runTrials, type Side } from './run-trials.ts';

/** Runs a load on one deployment, or alternately on two, shows and writes the results, and returns the exit code. */
export async function loadAndReport(
  path: string | undefined,
  options: LoadCommandOptions,
  context: Context,
  joined?: JoinedLoad,
): Promise<number> {
  const plan = await planLoad(options, context);
  settleMemory(plan.profile.load.isThroughputOnly);
  const history = options.history === undefined ? undefined : await openHistory(options.history, context);
  if (options.history !== undefined) await makeFolder(dirname(options.history));
  if (options.out !== undefined) await makeFolder(options.out);
  const seed = options.seed ?? randomInt(2 ** 32);
  const rateCaps = createRateCaps((options.shard ?? wholeLoad).of);
  const measureAll = async (target: OpenedTarget, other: OpenedTarget | undefined, watchers: readonly LoadsShown[]) => {
    const { a, b } = await measure({ target, other, watchers, joined, rateCaps }, { ...options, seed }, plan, context);
    return conclude({ a: other === undefined ? plan.baseline : a, b }, options, history, context);
  };
  const { versus, out } = options;
  const deployment = deploymentOf(path, options.fault, options.choice);
  return withLivePage(options.live, context, (page) =>
    withOtlpPush(options.otlp, context, (pushed) => {
      const watchers = [page && showLoads(page), pushed].filter((one) => one !== undefined);
      return between(deployment, versus === undefined ? out : within(out, 'b'), (target) =>
        versus === undefined
          ? measureAll(target, undefined, watchers)
          : between(deploymentOf(versus), within(out, 'a'), (other) => measureAll(target, other, watchers)),
      );
    }),
  );

  /** Opens a target between its setup and its teardown. */
  function between<Result>(
    of: DeploymentPlan,
    folder: string | undefined,
    use: (opened: OpenedTarget) => Promise<Result>,
  ): Promise<Result> {
    return withHooks(of, folder, context, async (hooked) => {
      const opened = await openLoadTarget(plan.profile, { plan: hooked, seed, rateCaps });
      try {
        refuseUnlessAllowed(plan.profile, opened.target);
        if (plan.workers > 1 && opened.target.renewal !== undefined)
          throw new UserError('only one thread can renew the keys of a key.command: use --workers 1.');
        return await use(opened);
      } finally {
        await opened.close();
      }
    });
  }
}

function within(out: string | undefined, folder: string): string | undefined {
  return out === undefined ? undefined : join(out, folder);
}

type Opened = {
  readonly target: OpenedTarget;
  readonly other: OpenedTarget | undefined;
  readonly watchers: readonly LoadsShown[];
  readonly joined: JoinedLoad | undefined;
  readonly rateCaps: RateCaps;
};
type Measured = { readonly a: readonly LoadRecord[]; readonly b: readonly LoadRecord[] };

async function measure(
  { target, other, watchers, joined, rateCaps }: Opened,
  options: LoadCommandOptions & { readonly seed: number },
  { profile, rounds, workers }: LoadPlan,
  context: Context,
): Promise<Measured> {
  const { out, shard = wholeLoad, startAt, seed } = options;
  const b: Side = { name: 'B', opened: target, out: other === undefined ? out : within(out, 'b') };
  const a: Side | undefined = other === undefined ? undefined : { name: 'A', opened: other, out: within(out, 'a') };
  const sides = a === undefined ? [b] : [a, b];
  for (const side of sides) {
    const name = a === undefined ? '' : `${side.name}: `;
    context.err.write(`${name}${announcement(profile, side.opened.target, shard)}\n`);
  }
  if (workers > 1) context.err.write(`${workers} threads share it, and each has that many sockets.\n`);
  for (const line of shapeOf(profile)) context.err.write(`${line}\n`);
  const runs = rounds * sides.length;
  if (runs > 1) {
    const minutes = (runs * ((profile.load.plannedMs ?? 0) + profile.warmUpMs)) / 60_000;
    context.err.write(`${runs} runs${a === undefined ? '' : ', by turns'}, about ${minutes.toFixed(1)} minutes.\n`);
  }
  const hasPage = options.live !== undefined;
  const trials = { profile, rounds, workers, seed, shard, startAt, rateCaps, watchers, hasPage, joined };
  const records = await runTrials(sides, trials, context);
  return { a: a === undefined ? [] : (records.get(a) ?? []), b: records.get(b) ?? [] };
}

/** Adds a run to the history only after it was judged; otherwise the run would influence its own verdict. */
async function conclude(
  { a, b }: { readonly a: readonly LoadRecord[] | undefined; readonly b: readonly LoadRecord[] },
  options: LoadCommandOptions,
  history: OpenHistory | undefined,
  context: Context,
): Promise<number> {
  const isByTurns = options.versus !== undefined;
  const code = await reportTrials({ a, b, isByTurns, runToRun: history?.runToRun(b) }, options, context);
  await history?.append(b, options.build ?? '');
  return code;
}

type MadeTrials = {
  /** The runs to compare with, if any. */
  readonly a: readonly LoadRecord[] | undefined;
  readonly b: readonly LoadRecord[];
  /** Whether the runs of A alternated with those of B. */
  readonly isByTurns: boolean;
  readonly runToRun: PerFigure<Spread> | undefined;
};

/**
 * Shows the results of the runs of a load and returns the exit code. The thresholds of the profile count too, except in an
 * interleaved comparison of builds, where only the comparison decides.
 */
async function reportTrials(
  trials: MadeTrials,
  options: ComparisonOptions & { readonly out?: string | undefined },
  context: Context,
): Promise<ExitCode> {
  const { a, b, isByTurns, runToRun } = trials;
  const [only] = b;
  if (only !== undefined && b.length === 1 && !isByTurns) showRun(only, context);
  const made = isByTurns ? [...(a ?? []), ...b] : b;
  if (made.some(({ result }) => result === 'interrupted')) return 130;
  const codes: ExitCode[] = isByTurns ? [] : b.map((record) => loadExitCode(record));
  if (a !== undefined) {
    context.out.write('\n');
    codes.push(await reportComparison({ a, b, runToRun }, options, context));
  }
  return worstExitCode(codes);
}

function showRun(record: LoadRecord, { out }: Context): void {
  const { capacity } = record;
  if (capacity !== undefined) out.write(`${renderCapacity(capacity).join('\n')}\n\n`);
  out.write(renderLoadTerminal(record, { color: wantsColor(out) }));
}
