import type { z } from 'zod';
import { realClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { serveEntryPoints } from '../../reference/http/serve-entry-points.ts';
import { targetFile } from '../../reference/target-file.ts';
import { embeddedPlanSchema, type embeddedWordsSchema } from './embedded-target.ts';

/** Serves the reference until the parent process is gone, after sending it the target file. */
async function main(): Promise<void> {
  const plan = embeddedPlanSchema.parse(JSON.parse(process.argv[2] ?? ''));
  const say = (words: z.infer<typeof embeddedWordsSchema>) => void process.send?.(words);
  let reference: ReturnType<typeof createReference>;
  try {
    reference = createReference({ ...plan, clock: realClock, latencyMs: [0, 0] });
  } catch (error) {
    say({ refusal: error instanceof Error ? error.message : String(error) });
    process.disconnect?.();
    return;
  }
  const server = await serveEntryPoints(reference, { port: 0, host: '127.0.0.1' });
  process.once('disconnect', () => void server.close());
  say({ targetFile: targetFile(server.target) });
}

await main();
