import type { z } from 'zod';
import { runHook } from '../../targets/hooks/run-hook.ts';
import { hookLog, keepHookLog, keysIn } from './hook-log.ts';
import { guardWordsSchema } from './teardown-guard.ts';
import { hookTimeoutMs } from './with-hooks.ts';

let words: z.infer<typeof guardWordsSchema> | undefined;

process.on('message', (message) => {
  words = guardWordsSchema.parse(message);
});

/** The process that started this one ended without ending this one, so it did not tear down. */
process.once('disconnect', () => void tearDown());

async function tearDown(): Promise<void> {
  if (words === undefined) return;
  const { teardown, folder, environment, printed, keys, out } = words;
  const result = await runHook({ command: teardown, folder, environment, input: printed, timeoutMs: hookTimeoutMs });
  const { text } = hookLog('teardown', result, [...keys, ...keysIn(printed)]);
  await keepHookLog(out, 'teardown.log', text);
}
