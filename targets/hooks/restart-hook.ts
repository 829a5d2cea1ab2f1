import { shown } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Environment } from '../interpolate.ts';
import { readHooks } from './read-hooks.ts';
import { hookFailure, runHook } from './run-hook.ts';

/** How long restarting a deployment may take, in milliseconds. */
const timeoutMs = 300_000;

/** A function that restarts the deployment of a target file; undefined if the file names no command for it. */
export function restartHook(path: string, environment: Environment): (() => Promise<void>) | undefined {
  const { restart: command, folder, environment: ofHooks } = readHooks(path, environment);
  if (command === undefined) return undefined;
  return async () => {
    const result = await runHook({ command, folder, environment: ofHooks, timeoutMs });
    const failure = hookFailure(result);
    if (failure === undefined) return;
    const said = result.stderr.trim().split('\n').at(-1) ?? '';
    throw new Blocked(`hooks.restart ${failure}${said === '' ? '' : `: ${shown(said, 200)}`}`);
  };
}
