import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../../shared/context.ts';

const optionsSchema = z.object({ key: z.string(), vendorKey: z.string(), out: z.string().min(1) });

/** `awc countersign`: a witness judges the deployment of a certificate again and signs it too. */
export function configure(command: Command, context: Context): void {
  command
    .argument('<dir>', 'a folder from awc certify')
    .argument('<target>', 'your target file of the same deployment, with your own keys')
    .requiredOption('--key <file>', 'your private key from awc keygen')
    .requiredOption('--vendor-key <file>', "the vendor's public key; get it from the vendor, not from the certificate")
    .requiredOption('--out <dir>', 'the folder for the countersigned certificate; it must be new or empty')
    .action(async (folder: string, target: string) => {
      const { countersignAndReport } = await import('../../certificates/countersign-and-report.ts'); // the suites take a while
      context.end(await countersignAndReport(folder, target, optionsSchema.parse(command.opts()), context));
    });
}
