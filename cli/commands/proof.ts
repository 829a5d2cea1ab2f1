import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { matrixMarkdown, matrixText } from '../../proof/matrix-text.ts';
import { prove } from '../../proof/prove.ts';
import { alarmText, foundText, holds, proofSummary } from '../../proof/summary.ts';
import { type FalseAlarm, falseAlarm } from '../../proof/sweep.ts';
import { plan } from '../../reference/plan.ts';
import type { Context, Output } from '../shared/context.ts';
import { keyValue, wholeNumber } from '../shared/option-values.ts';
import { UserError } from '../shared/user-error.ts';
import { makeFolder, writeWhole } from '../shared/write-whole.ts';

/** Removes the line of the progress from a terminal. */
const clearLine = '\r\u001b[K';

/** `awc proof`: shows that the suite catches every fault and passes every legal deployment. Exit 1 if it does not. */
export function configure(command: Command, context: Context): void {
  command
    .option('--seed <number>', 'the seed of every random draw', wholeNumber(0, 0xffff), 1)
    .option('--cases <number>', 'number of legal deployments to draw', wholeNumber(0, 1_000_000), 1000)
    .option('--crossings <number>', 'legal deployments to combine with each fault', wholeNumber(0, 1000), 2)
    .option('--workers <number>', 'number of worker threads', wholeNumber(1, 64), availableParallelism())
    .option('--out <folder>', 'write the kill matrix to this folder, as kill-matrix.txt and kill-matrix.md')
    .option('--choice <key=value>', 'judge only the legal deployment with this choice; repeatable', keyValue)
    .action(async ({ out, choice, ...options }) => {
      if (choice !== undefined) {
        context.end(await judgeOne(options.seed, choice, context));
        return;
      }
      if (out !== undefined) await makeFolder(out);
      const { err } = context;
      const found = (alarm: FalseAlarm) => void err.write(`${err.isTTY === true ? clearLine : ''}${foundText(alarm)}`);
      const proof = await prove({ ...options, progress: progressOn(err), found });
      if (out !== undefined) {
        await writeWhole(join(out, 'kill-matrix.txt'), matrixText(proof.matrix));
        await writeWhole(join(out, 'kill-matrix.md'), matrixMarkdown(proof.matrix));
      }
      context.out.write(proofSummary(proof));
      context.end(holds(proof) ? 0 : 1);
    });
}

/** Judges one legal deployment by the suite, a load and recorded traffic, and gives the exit code. */
async function judgeOne(seed: number, choices: Readonly<Record<string, string>>, { out }: Context): Promise<number> {
  try {
    plan([], choices);
  } catch (error) {
    throw error instanceof Error ? new UserError(error.message) : error;
  }
  const alarm = await falseAlarm({ seed, faults: [], choices });
  out.write(
    `${alarm === undefined ? 'suite, load and traffic accuse this deployment of nothing' : alarmText(alarm)}\n`,
  );
  return alarm === undefined ? 0 : 1;
}

/** One updating line on a terminal, nothing elsewhere. */
function progressOn(stream: Output): (done: number, all: number) => void {
  if (!stream.isTTY) return () => {};
  return (done, all) => void stream.write(done === all ? clearLine : `\rproof: ${done} of ${all}`);
}
