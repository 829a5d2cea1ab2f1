import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Target } from '../../core/target.ts';
import { parseTarget } from '../../targets/target-file.ts';
import { ownModule } from '../shared/own-module.ts';
import { UserError } from '../shared/user-error.ts';

/** What the child is told, as JSON in its one argument. */
export const embeddedPlanSchema = z.object({
  seed: z.int(),
  faults: z.array(z.string()),
  choices: z.record(z.string(), z.string()),
});

/** What it says when it listens, or when it cannot be what it was told to be. */
export const embeddedWordsSchema = z.union([z.object({ targetFile: z.string() }), z.object({ refusal: z.string() })]);

export type EmbeddedPlan = {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly choices: Readonly<Record<string, string>>;
};

/**
 * The reference on loopback in a process of its own, so that it and the generator do not share an event loop. Rejects with
 * UserError for faults and choices that there are not.
 */
export async function startEmbedded(
  plan: EmbeddedPlan,
): Promise<{ readonly target: Target; readonly close: () => Promise<void> }> {
  const child = fork(fileURLToPath(ownModule('cli/load/serve-embedded')), [JSON.stringify(plan)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true, // Ctrl-C is for the generator, which ends this one when it is done
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
