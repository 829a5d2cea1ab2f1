import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../shared/context.ts';

const optionsSchema = z.object({ key: z.string().optional() });

/** `awc verify`: whether a bundle is signed, whole, and says what its exchanges say. */
export function configureVerify(command: Command, context: Context): void {
  command
    .argument('<dir>', 'the folder that awc certify wrote')
    .option('--key <file>', "the vendor's public key, from the vendor and not from the bundle")
    .action(async (folder: string) => {
      const { verifyAndReport } = await import('../certificates/verify-and-report.ts'); // the suites take a while
      context.end(await verifyAndReport(folder, optionsSchema.parse(command.opts()).key, context));
    });
}
