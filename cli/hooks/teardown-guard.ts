import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Hooks } from '../../targets/hooks/read-hooks.ts';
import { ownModule } from '../shared/own-module.ts';

/** The messages to the guard: first how to tear down, then also what the setup printed. */
export const guardWordsSchema = z.object({
  teardown: z.string(),
  folder: z.string(),
  environment: z.record(z.string(), z.string().optional()),
  keys: z.array(z.string()),
  /** Where to keep the log of the teardown. */
  out: z.string().optional(),
  printed: z.string(),
});

type TeardownGuard = {
  /** What the setup printed, for the teardown to read. */
  readonly send: (printed: string) => void;
  /** The teardown was done: the guard is not needed any more. */
  readonly end: () => void;
};

/**
 * A process of its own that runs the teardown should this one end without having done so: by a second Ctrl-C, a crash, or a
 * SIGKILL. Where there is no teardown, there is no such process either.
 */
export function guardTeardown({ teardown, folder, environment, keys }: Hooks, out: string | undefined): TeardownGuard {
  if (teardown === undefined) return { send: () => {}, end: () => {} };
  const child = fork(fileURLToPath(ownModule('cli/hooks/guard-teardown')), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true, // Ctrl-C is not for the guard
  });
  child.on('error', () => {}); // Without a guard the teardown is run all the same, unless this process is killed.
  const words = { teardown, folder, environment, keys, out };
  const send = (printed: string) => void (child.connected && child.send({ ...words, printed }));
  send('');
  child.unref();
  child.channel?.unref();
  return { send, end: () => void child.kill('SIGKILL') };
}
