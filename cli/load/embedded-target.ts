import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Target } from '../../core/target.ts';
import { parseTarget } from '../../targets/target-file.ts';
import { ownModule } from '../../core/own-module.ts';
import { UserError } from '../shared/user-error.ts';

/** The argument of the child process, as JSON. */
export const embeddedPlanSchema = z.object({
  seed: z.int(),
  faults: z.array(z.string()).readonly(),
  choices: z.record(z.string(), z.string()),
});

/** The message of the child process when it listens, or why it cannot start. */
export const embeddedWordsSchema = z.union([z.object({ targetFile: z.string() }), z.object({ refusal: z.string() })]);

type EmbeddedPlan = z.infer<typeof embeddedPlanSchema>;

/**
 * Starts the reference on loopback in its own process, so that it does not share an event loop with the generator. Rejects
 * with UserError for unknown faults and choices.
 */
export async function startEmbedded(
  plan: EmbeddedPlan,
): Promise<{ readonly target: Target; readonly close: () => Promise<void> }> {
  const child = fork(fileURLToPath(ownModule('cli/load/serve-embedded')), [JSON.stringify(plan)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true, // Ctrl-C must only reach the generator, which ends this process when it is done
  });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  child.once('message', resolve);
  child.once('exit', (code) => reject(new Error(`the embedded reference ended with ${code} before it listened`)));
  const words = embeddedWordsSchema.parse(await promise);
  if ('refusal' in words) throw new UserError(words.refusal);
  return {
    target: parseTarget(words.targetFile, 'the embedded reference', {}).target,
    close: async () => {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
