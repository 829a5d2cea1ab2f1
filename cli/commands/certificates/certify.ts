import type { Command } from '@commander-js/extra-typings';
import { challengeText, someText } from '../../shared/option-values.ts';
import type { Context } from '../../shared/context.ts';

/** `awc certify`: a whole run, signed so that others can verify it. */
export function configure(command: Command, context: Context): void {
  command
    .argument('[target]', 'the target file; without one, the embedded reference, as an example')
    .requiredOption('--key <file>', 'the private key from awc keygen')
    .requiredOption('--out <dir>', 'the folder for the certificate; it must be new or empty', someText)
    .option(
      '--challenge <text>',
      'a text from the certifier; the random values of the run follow from it',
      challengeText,
    )
    .action(async (target, options) => {
      const { certifyAndReport } = await import('../../certificates/certify-and-report.ts'); // the suites take a while
      context.end(await certifyAndReport(target, options, context));
    });
}
