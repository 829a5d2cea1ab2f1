import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../shared/context.ts';

const text = z.string().min(1);
const optionsSchema = z.object({
  vendor: text,
  product: text,
  version: text,
  website: text,
  contact: text,
  registry: text,
});

/** `awc submit`: a certificate as a submission to a registry. */
export function configure(command: Command, context: Context): void {
  command
    .argument('<bundle>', 'a folder from awc certify')
    .requiredOption('--vendor <name>', 'the name of the vendor; the same in every submission')
    .requiredOption('--product <name>', 'the name of the product')
    .requiredOption('--version <version>', 'the version of the product that was certified')
    .requiredOption('--website <url>', 'the https address of the product')
    .requiredOption('--contact <address>', 'an e-mail address or an https address for questions')
    .option('--registry <dir>', 'the checkout of the registry', '.')
    .action(async (bundle: string) => {
      const { submitBundle } = await import('../registry/submit.ts'); // the suites take a while
      context.end(await submitBundle(bundle, optionsSchema.parse(command.opts()), context));
    });
}
