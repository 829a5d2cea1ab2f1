import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { realClock } from '../../harness/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { serve } from '../../reference/serve.ts';
import { targetFile } from '../../reference/target-file.ts';
import type { Context } from '../context.ts';
import { keyValue, repeated, wholeNumber } from '../option-values.ts';
import { UserError } from '../user-error.ts';
import { writeWhole } from '../write-whole.ts';

const optionsSchema = z.object({
  port: z.int(),
  host: z.string(),
  out: z.string(),
  fault: z.array(z.string()).default([]),
  choice: z.record(z.string(), z.string()).default({}),
});

/** `awc serve`: the reference on a port, until it is told to end. */
export function configureServe(command: Command, context: Context): void {
  command
    .option('--port <n>', 'the port; 0 takes a free one', wholeNumber(0, 65_535), 8080)
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option('--fault <name>', 'build that fault in; may be repeated', repeated)
    .option('--choice <key=value>', 'decide that otherwise; may be repeated', keyValue)
    .option('--out <file>', 'where to write its target file', 'reference.yaml')
    .action(async () => {
      await serveReference(optionsSchema.parse(command.opts()), context);
    });
}

async function serveReference(options: z.infer<typeof optionsSchema>, { out }: Context): Promise<void> {
  const { deployment, target } = createForUser(options);
  const server = await listen(deployment, options);
  const file = resolve(options.out);
  try {
    await writeWhole(file, targetFile({ ...target, name: 'Reference', baseUrl: server.url }));
    out.write(`The reference answers at ${server.url}\nIts target file is ${file}\nCtrl-C ends it.\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  } finally {
    await server.close();
  }
}

function createForUser({ fault, choice }: z.infer<typeof optionsSchema>): ReturnType<typeof createReference> {
  try {
    return createReference({ clock: realClock, seed: 1, faults: fault, choices: choice });
  } catch (error) {
    throw error instanceof Error ? new UserError(error.message) : error;
  }
}

async function listen(...[deployment, { port, host }]: Parameters<typeof serve>): ReturnType<typeof serve> {
  try {
    return await serve(deployment, { port, host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UserError(`nothing can listen at ${host} port ${port} (${code}). --port 0 takes a free one.`);
  }
}
