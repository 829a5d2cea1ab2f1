import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../shared/context.ts';
import { someText } from '../../shared/option-values.ts';

/** `awc countersign`: a witness judges the deployment of a certificate again and signs it too. */
export function configure(command: Command, context: Context): void {
  command
    .argument('<dir>', 'a folder from awc certify')
    .argument('<target>', 'your target file of the same deployment, with your own keys')
    .requiredOption('--key <file>', 'your private key from awc keygen')
    .requiredOption('--vendor-key <file>', "the vendor's public key; get it from the vendor, not from the certificate")
    .requiredOption('--out <dir>', 'the folder for the countersigned certificate; it must be new or empty', someText)
    .action(async (folder, target, options) => {
      const { countersignAndReport } = await import('../../certificates/countersign-and-report.ts'); // the suites take a while
      context.end(await countersignAndReport(folder, target, options, context));
    });
}
