import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../shared/context.ts';
import { someText } from '../shared/option-values.ts';

/** The branch that a change is compared with unless it is named. */
const usualBase = 'origin/HEAD';

/** `awc registry check|build|suite|rotate`: a folder of submissions, each judged again. Nothing is sent. */
export function configure(command: Command, context: Context): void {
  command
    .command('check')
    .description('judge every submission of a registry again, and check its names, keys and contact')
    .argument('<dir>', 'the checkout of the registry')
    .option('--changed-only [base]', `judge only what changed since the branch left base, by default ${usualBase}`)
    .action(async (folder, { changedOnly = false }) => {
      const base = changedOnly === true ? usualBase : changedOnly;
      const { checkAndReport } = await import('../registry/check-and-report.ts'); // the suites take a while
      context.end(await checkAndReport(folder, base === false ? undefined : base, context));
    });
  command
    .command('build')
    .description('write a static site of what is certified')
    .argument('<dir>', 'the checkout of the registry')
    .requiredOption('--out <dir>', 'the folder for the site; it must be new or empty', someText)
    .action(async (folder, { out }) => {
      const { buildAndReport } = await import('../registry/build-and-report.ts'); // the suites take a while
      context.end(await buildAndReport(folder, out, context));
    });
  command
    .command('suite')
    .description('print the version of the suite that judged the changed submissions, so that a bot can install it')
    .argument('<dir>', 'the checkout of the registry')
    .option('--base <ref>', 'the branch that the change left', usualBase)
    .action(async (folder, { base }) => {
      const { printSuiteVersion } = await import('../registry/suite-versions.ts');
      context.end(await printSuiteVersion(folder, base, context));
    });
  command
    .command('rotate')
    .description("register a vendor's next key, by a statement that the latest key signs")
    .argument('<dir>', 'the checkout of the registry')
    .requiredOption('--vendor <folder>', 'the folder of the vendor in the registry')
    .requiredOption('--key <file>', 'the latest private key')
    .requiredOption('--next <file>', 'the next public key')
    .action(async (folder, options) => {
      const { rotateKey } = await import('../registry/vendor-file.ts');
      context.end(await rotateKey(folder, options, context));
    });
}
