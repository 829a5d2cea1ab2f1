import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../shared/context.ts';

const optionsSchema = z.object({ key: z.string(), out: z.string().min(1) });

/** `awc certify`: a whole run, sealed so that others can verify it. */
export function configureCertify(command: Command, context: Context): void {
  command
    .argument('[target]', 'the target file; without one, the embedded reference is certified, to see what it is like')
    .requiredOption('--key <file>', 'the private key that awc keygen made')
    .requiredOption('--out <dir>', 'the folder for the bundle: not there yet, or empty')
    .action(async (target: string | undefined) => {
      const { certifyAndReport } = await import('../certificates/certify-and-report.ts'); // the suites take a while
      context.end(await certifyAndReport(target, optionsSchema.parse(command.opts()), context));
    });
}
