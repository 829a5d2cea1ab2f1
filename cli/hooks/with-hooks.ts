import type { DeploymentPlan } from '../../targets/open-deployment.ts';
import { type Hooks, readHooks } from '../../targets/hooks/read-hooks.ts';
import { type HookResult, runHook } from '../../targets/hooks/run-hook.ts';
import type { Context } from '../shared/context.ts';
import { type HookLog, hookLog, keepHookLog, keysIn } from './hook-log.ts';
import { whileInterruptible } from '../shared/on-interruption.ts';
import { guardTeardown } from './teardown-guard.ts';
import { forUser } from '../shared/for-user.ts';
import { UserError } from '../shared/user-error.ts';
import { makeFolder } from '../shared/write-whole.ts';

/** How long one hook may take. */
export const hookTimeoutMs = 5 * 60_000;

/** The deployment between setup and teardown. */
export type HookedPlan = {
  readonly deployment: DeploymentPlan;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
};

/**
 * Runs the setup of a target file, calls `use` with the deployment and the output of the setup, and runs the teardown even if
 * the setup, `use` or this process fails. Keeps the output of the hooks in `folder`.
 */
export async function withHooks<Result>(
  deployment: DeploymentPlan,
  folder: string | undefined,
  { env, err }: { readonly env: Context['env']; readonly err: NodeJS.WritableStream },
  use: (plan: HookedPlan) => Promise<Result>,
): Promise<Result> {
  const hooks = deployment.kind === 'file' ? forUser(() => readHooks(deployment.path, env)) : undefined;
  if (hooks === undefined || (hooks.setup ?? hooks.teardown) === undefined)
    return whileInterruptible((signal) => use({ deployment, signal }));
  if (folder !== undefined) await makeFolder(folder);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  const guard = guardTeardown(hooks, folder);
  let printed = '';
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    const result = await setUp(hooks, interruption.signal);
    printed = result?.stdout ?? '';
    guard.send(printed);
    const log = result && logOf(hooks, 'setup', result, printed);
    if (log !== undefined) await keepHookLog(folder, 'setup.log', log.text);
    if (interruption.signal.aborted) throw new UserError('interrupted before anything was sent.', 130);
    if (log?.failure !== undefined) throw new UserError(log.failure);
    const prepared = result === undefined ? deployment : { ...deployment, patch: patchIn(result) };
    return await use({ deployment: prepared, signal: interruption.signal });
  } finally {
    try {
      const failure = await tearDown(hooks, printed, folder);
      if (failure !== undefined) err.write(`! ${failure}\n! Its fixtures may be left behind.\n`);
    } finally {
      guard.end();
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    }
  }
}

/** The result of `work`, unless the signal comes first. */
export async function unlessInterrupted<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  message = 'interrupted.',
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const interrupt = () => reject(new UserError(message, 130));
  if (signal.aborted) interrupt();
  signal.addEventListener('abort', interrupt);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

async function setUp({ setup, ...hooks }: Hooks, signal: AbortSignal): Promise<HookResult | undefined> {
  return setup === undefined ? undefined : runHook({ ...hooks, command: setup, timeoutMs: hookTimeoutMs, signal });
}

/** Returns why it failed; undefined if it succeeded. */
async function tearDown(hooks: Hooks, printed: string, folder: string | undefined): Promise<string | undefined> {
  const { teardown } = hooks;
  if (teardown === undefined) return undefined;
  const result = await runHook({ ...hooks, command: teardown, timeoutMs: hookTimeoutMs, input: printed });
  const { text, failure } = logOf(hooks, 'teardown', result, printed);
  await keepHookLog(folder, 'teardown.log', text);
  return failure;
}

function logOf(hooks: Hooks, name: 'setup' | 'teardown', result: HookResult, printed: string): HookLog {
  return hookLog(name, result, [...hooks.keys, ...keysIn(printed)]);
}

/** The messages quote nothing of the output, which may hold keys. */
function patchIn({ stdout, cut }: HookResult): unknown {
  if (cut) throw new UserError('hooks.setup printed over 1 MiB; it must print one JSON object and nothing else.');
  if (stdout.trim() === '') return {};
  try {
    return JSON.parse(stdout);
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '')?.[0] ?? '';
    throw new UserError(
      `hooks.setup printed invalid JSON ${place}: it must print one JSON object and nothing else; use standard error for messages.`,
    );
  }
}
