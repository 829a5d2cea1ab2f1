import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { realClock } from '../../core/clock.ts';
import { causeOf } from '../../core/error-code.ts';
import { baseUrlsOf } from '../../core/network/address.ts';
import { createReference } from '../../reference/reference.ts';
import { serveEntryPoints } from '../../reference/http/serve-entry-points.ts';
import { targetFile } from '../../reference/target-file.ts';
import type { Context } from '../shared/context.ts';
import { keyValue, type OptionsOf, repeated, wholeNumber } from '../shared/option-values.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

/** The data is always the same, so that the target file stays valid. */
const seed = 1;

/** `awc serve`: the reference on a port, until it is interrupted. */
export function configure(command: Command, context: Context): void {
  addServeOptions(command).action((options) => serveReference(options, context));
}

function addServeOptions(command: Command) {
  return command
    .option('--port <n>', 'the port; 0 picks a free one', wholeNumber(0, 65_535), 8080)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--fault <name>', 'add this fault (awc list --faults); repeatable', repeated)
    .option('--choice <key=value>', 'set this choice (awc list --choices); repeatable', keyValue)
    .option('--out <file>', 'the target file to write', 'reference.yaml')
    .option('--data <file>', 'store the accepted writes in this file, so that they survive a restart');
}

type ServeOptions = OptionsOf<typeof addServeOptions>;

async function serveReference(options: ServeOptions, { out }: Context): Promise<void> {
  const { close, ...reference } = await createForUser(options);
  const { port, host } = options;
  const server = await serveEntryPoints(reference, { port, host }).catch((error: unknown) => {
    throw new UserError(`cannot listen on ${host} port ${port} (${causeOf(error)}). Use --port 0 to pick a free port.`);
  });
  const file = resolve(options.out);
  try {
    await writeWhole(file, targetFile({ ...server.target, name: 'Reference' }));
    out.write(
      `The reference answers at ${baseUrlsOf(server.target).join(' and ')}\nTarget file: ${file}\nPress Ctrl-C to stop.\n`,
    );
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  } finally {
    await server.close();
    close();
  }
}

type Served = ReturnType<typeof createReference> & { readonly close: () => void };

async function createForUser({ fault = [], choice = {}, data }: ServeOptions): Promise<Served> {
  const options = { clock: realClock, seed, faults: fault, choices: choice };
  try {
    if (data === undefined) return { ...createReference(options), close: () => {} };
    const { openJournal } = await import('../../reference/state/sqlite-journal.ts'); // only --data needs the database
    const journal = openJournal(resolve(data), { seed, choices: choice }, realClock.now());
    return { ...createReference({ ...options, journal }), close: journal.close };
  } catch (error) {
    throw error instanceof Error ? new UserError(error.message) : error;
  }
}
