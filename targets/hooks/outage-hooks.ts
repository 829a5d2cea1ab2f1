import { type OutageKind, outageKinds, type Outages } from '../../core/outages.ts';
import { shown } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Environment } from '../interpolate.ts';
import { readHooks } from './read-hooks.ts';
import { hookFailure, runHook } from './run-hook.ts';

/** How long a command may take, in milliseconds. */
const timeoutMs = 300_000;

/** The commands of a target file that interrupt its deployment. Each gets its seconds in $AWC_SECONDS. */
export function outageHooks(path: string, environment: Environment): Outages {
  const { folder, environment: ofHooks, ...commands } = readHooks(path, environment);
  const hookOf = (kind: OutageKind, command: string) => async (seconds: number) => {
    const environment = { ...ofHooks, AWC_SECONDS: String(seconds) };
    const result = await runHook({ command, folder, environment, timeoutMs });
    const failure = hookFailure(result);
    if (failure === undefined) return;
    const said = result.stderr.trim().split('\n').at(-1) ?? '';
    throw new Blocked(`hooks.${kind} ${failure}${said === '' ? '' : `: ${shown(said, 200)}`}`);
  };
  return Object.fromEntries(
    outageKinds.flatMap((kind) => (commands[kind] === undefined ? [] : [[kind, hookOf(kind, commands[kind])]])),
  );
}
