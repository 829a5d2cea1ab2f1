import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Hooks } from '../../targets/hooks/read-hooks.ts';
import { ownModule } from '../../core/own-module.ts';

/** The messages to the guard: first how to tear down, then the same with the output of the setup. */
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
  /** Sends the output of the setup, which the teardown reads. */
  readonly send: (printed: string) => void;
  /** Ends the guard after the teardown. */
  readonly end: () => void;
};

/**
 * A separate process that runs the teardown if this one ends without doing so: by a second Ctrl-C, a crash, or a SIGKILL.
 * Without a teardown there is no such process.
 */
export function guardTeardown({ teardown, folder, environment, keys }: Hooks, out: string | undefined): TeardownGuard {
  if (teardown === undefined) return { send: () => {}, end: () => {} };
  const child = fork(fileURLToPath(ownModule('cli/hooks/guard-teardown')), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true, // Ctrl-C is not for the guard
  });
  child.on('error', () => {}); // Without a guard the teardown still runs unless this process is killed.
  const words = { teardown, folder, environment, keys, out };
  const send = (printed: string) => void (child.connected && child.send({ ...words, printed }));
  send('');
  child.unref();
  child.channel?.unref();
  return { send, end: () => void child.kill('SIGKILL') };
}
