import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../shared/context.ts';
import { someText } from '../shared/option-values.ts';

/** `awc submit`: a certificate as a submission to a registry. */
export function configure(command: Command, context: Context): void {
  command
    .argument('<bundle>', 'a folder from awc certify')
    .requiredOption('--vendor <name>', 'the name of the vendor; the same in every submission', someText)
    .requiredOption('--product <name>', 'the name of the product', someText)
    .requiredOption('--version <version>', 'the version of the product that was certified', someText)
    .requiredOption('--website <url>', 'the https address of the product', someText)
    .requiredOption('--contact <address>', 'an e-mail address or an https address for questions', someText)
    .option('--registry <dir>', 'the checkout of the registry', someText, '.')
    .action(async (bundle, options) => {
      const { submitBundle } = await import('../registry/submit.ts'); // the suites take a while
      context.end(await submitBundle(bundle, options, context));
    });
}
