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

/** `awc proof`: the suite shown to catch every fault and to accuse no legal deployment. Exit 1 when it does not hold. */
export function configureProof(command: Command, context: Context): void {
  command
    .option('--seed <number>', 'the whole proof follows from it', wholeNumber(0, 0xffff), 1)
    .option('--cases <number>', 'legal deployments to draw', wholeNumber(0, 1_000_000), 1000)
    .option('--crossings <number>', 'oddly legal deployments around each fault', wholeNumber(0, 1000), 2)
    .option('--workers <number>', 'threads to share the work', wholeNumber(1, 64), availableParallelism())
    .option('--out <folder>', 'write the kill matrix there: kill-matrix.txt, and kill-matrix.md to read')
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
