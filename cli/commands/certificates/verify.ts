import type { Command } from '@commander-js/extra-typings';
import { challengeText, repeated } from '../../shared/option-values.ts';
import type { Context } from '../../shared/context.ts';

/** `awc verify`: whether a certificate is signed and complete, and whether its report follows from its exchanges. */
export function configure(command: Command, context: Context): void {
  command
    .argument('<dir>', 'a folder from awc certify')
    .option('--key <file>', "the vendor's public key; get it from the vendor, not from the certificate")
    .option('--any-key', "accept the certificate's own key; this does not show who signed")
    .option('--witness <file>', 'the public key of a witness that must have countersigned; repeatable', repeated)
    .option('--challenge <text>', 'the text that you gave the vendor before the run', challengeText)
    .action(async (folder, options) => {
      const { verifyAndReport } = await import('../../certificates/verify-and-report.ts'); // the suites take a while
      context.end(await verifyAndReport(folder, options, context));
    });
}
