import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { matrixMarkdown, matrixText } from '../../proof/matrix-text.ts';
import { prove } from '../../proof/prove.ts';
import { holds, proofSummary } from '../../proof/summary.ts';
import type { Context } from '../shared/context.ts';
import { wholeNumber } from '../shared/option-values.ts';
import { makeFolder, writeWhole } from '../shared/write-whole.ts';

const optionsSchema = z.object({
  seed: z.number(),
  cases: z.number(),
  crossings: z.number(),
  workers: z.number(),
  out: z.string().optional(),
});

/** `awc proof`: shows that the suite catches every fault and passes every legal deployment. Exit 1 if it does not. */
export function configure(command: Command, context: Context): void {
  command
    .option('--seed <number>', 'the seed of every random draw', wholeNumber(0, 0xffff), 1)
    .option('--cases <number>', 'number of legal deployments to draw', wholeNumber(0, 1_000_000), 1000)
    .option('--crossings <number>', 'legal deployments to combine with each fault', wholeNumber(0, 1000), 2)
    .option('--workers <number>', 'number of worker threads', wholeNumber(1, 64), availableParallelism())
    .option('--out <folder>', 'write the kill matrix to this folder, as kill-matrix.txt and kill-matrix.md')
    .action(async () => {
      const { out, ...options } = optionsSchema.parse(command.opts());
      if (out !== undefined) await makeFolder(out);
      const proof = await prove({ ...options, against: 'all checks', progress: progressOn(context.err) });
      if (out !== undefined) {
        await writeWhole(join(out, 'kill-matrix.txt'), matrixText(proof.matrix));
        await writeWhole(join(out, 'kill-matrix.md'), matrixMarkdown(proof.matrix));
      }
      context.out.write(proofSummary(proof));
      context.end(holds(proof) ? 0 : 1);
    });
}

/** One updating line on a terminal, nothing elsewhere. */
function progressOn(stream: NodeJS.WriteStream): (done: number, all: number) => void {
  if (!stream.isTTY) return () => {};
  return (done, all) => void stream.write(done === all ? '\r\u001b[K' : `\rproof: ${done} of ${all}`);
}
