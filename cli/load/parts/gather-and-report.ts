import { join } from 'node:path';
import { realClock } from '../../../core/clock.ts';
import { causeOf } from '../../../core/error-code.ts';
import { usualLimits } from '../../../load/gather/limits.ts';
import type { Outcome } from '../../../load/gather/meeting.ts';
import { serveGathering } from '../../../load/gather/serve-gathering.ts';
import { safeJsonLine } from '../../../reports/text/safe-json.ts';
import { isLoopback } from '../../../targets/is-loopback.ts';
import type { Context } from '../../shared/context.ts';
import { onInterruption } from '../../shared/on-interruption.ts';
import { UserError } from '../../shared/user-error.ts';
import { makeFolder, writeWhole } from '../../shared/write-whole.ts';
import { failureFile } from './as-part.ts';
import { gatherToken } from './gather-token.ts';
import { reportParts } from './report-parts.ts';
import type { GatherOptions } from '../load-options.ts';

/** Coordinates the parts of a load, merges their records, shows and writes the result, and returns the exit code. */
export async function gatherAndReport({ shards: of, listen, within, out, json }: GatherOptions, context: Context) {
  const token = gatherToken(context.env);
  const { host, port } = listen;
  if (token === undefined && !isLoopback(`http://${host.includes(':') ? `[${host}]` : host}`))
    throw new UserError(
      `other machines can reach ${host}: set AWC_GATHER_TOKEN to a secret, here and where the parts run, or listen on 127.0.0.1.`,
    );
  if (out !== undefined) await makeFolder(out);
  const say = (text: string) => context.err.write(`${text}\n`);
  const limits = { ...usualLimits, withinMs: within };
  const listening = serveGathering({ of, limits, now: realClock.now, onEvent: say, host, port, token });
  const gathering = await listening.catch((error: unknown) => {
    throw new UserError(`cannot listen on ${host}:${port} (${causeOf(error)}): name another address with --listen.`);
  });
  say(`Listening at ${gathering.url} for ${of} parts.`);
  let isInterrupted = false;
  const letGo = onInterruption(() => {
    isInterrupted = true;
    gathering.stop('the coordinator was interrupted');
  });
  try {
    const outcomes = await gathering.over;
    if (out !== undefined) await keepParts(outcomes, out);
    const ended = [...outcomes.values()];
    const records = ended.flatMap((one) => (one.kind === 'record' ? [one.record] : []));
    const failures = ended.flatMap((one) => (one.kind === 'failed' ? [one.failure] : []));
    const { code, whole } = await reportParts({ records, failures, of }, out, context);
    if (json && whole !== undefined) context.data.write(safeJsonLine(whole));
    return isInterrupted ? 130 : code;
  } finally {
    letGo();
    await gathering.close();
  }
}

/** Keeps what each part left in a folder of its own, as parts do that no coordinator leads. */
async function keepParts(outcomes: ReadonlyMap<number, Outcome>, out: string): Promise<void> {
  for (const [part, outcome] of outcomes) {
    const folder = join(out, `part-${part}`);
    await makeFolder(folder);
    if (outcome.kind === 'record') await writeWhole(join(folder, 'load.json'), safeJsonLine(outcome.record));
    else await writeWhole(join(folder, failureFile), safeJsonLine(outcome.failure));
  }
}
