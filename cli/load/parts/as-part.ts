import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { realClock } from '../../../core/clock.ts';
import { GatherError } from '../../../load/gather/gather-error.ts';
import { type JoinedLoad, joinLoad } from '../../../load/gather/join-load.ts';
import { wholeLoad } from '../../../load/schedule/arrivals.ts';
import type { PartFailure } from '../../../load/gather/protocol.ts';
import { safeJsonLine } from '../../../reports/text/safe-json.ts';
import type { Context } from '../../shared/context.ts';
import { UserError } from '../../shared/user-error.ts';
import { makeFolder, writeWhole } from '../../shared/write-whole.ts';
import type { LoadCommandOptions } from '../load-options.ts';
import { gatherToken } from './gather-token.ts';

/** Says why a part has no record, beside the place of the record. */
export const failureFile = 'failed.json';

/**
 * Does the work of one part of a load. If it fails, its folder and its coordinator get the reason. What an earlier run left in
 * the folder is deleted first, so that a merge cannot take it for this one.
 */
export async function asPart(
  { shard = wholeLoad, out, gather }: Pick<LoadCommandOptions, 'shard' | 'out' | 'gather'>,
  context: Context,
  work: (joined: JoinedLoad | undefined) => Promise<number>,
): Promise<number> {
  if (gather === undefined && shard.of === 1) return work(undefined);
  const joined = gather === undefined ? undefined : joinedLoad(gather, shard.index, context);
  try {
    if (out !== undefined) await forgetEarlier(out);
    const code = await work(joined);
    if (joined?.stop.aborted === true) context.err.write(`! This part was stopped: ${String(joined.stop.reason)}.\n`);
    return code;
  } catch (error) {
    const problem = error instanceof GatherError ? new UserError(error.message, error.exitCode) : error;
    const exitCode = problem instanceof UserError ? problem.exitCode : 5;
    const reason = problem instanceof Error ? problem.message : String(problem);
    const failure = { part: shard.index, of: shard.of, reason, exitCode };
    if (out !== undefined && !existsSync(join(out, 'load.json'))) await keep(failure, out);
    // A coordinator that refused this part may refuse its reason too.
    await joined?.fail(failure).catch(() => {});
    throw problem;
  } finally {
    await joined?.close();
  }
}

function joinedLoad(url: string, part: number, { env, err }: Context): JoinedLoad {
  const onEvent = (text: string) => err.write(`${text}\n`);
  return joinLoad({ url, part, token: gatherToken(env), clock: realClock, onEvent });
}

async function forgetEarlier(out: string): Promise<void> {
  await makeFolder(out);
  for (const name of ['load.json', 'load.html', failureFile]) await rm(join(out, name), { force: true });
}

async function keep(failure: PartFailure, out: string): Promise<void> {
  await writeWhole(join(out, failureFile), safeJsonLine({ ...failure, reason: failure.reason.slice(0, 2000) })).catch(
    () => {},
  );
}
