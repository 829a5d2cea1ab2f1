import type { Command } from '@commander-js/extra-typings';
import { addRunOptions } from '../run/run-options.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';

/** `awc run`: the suite on a deployment, to a report and an exit code. */
export function configure(command: Command, context: Context): void {
  addRunOptions(command).action(async (target, options) => {
    if ((options.build ?? '') !== '' && options.history === undefined) {
      throw new UserError('--build names a run in a history: add --history, or remove it.');
    }
    const { runAndReport } = await import('../run/run-and-report.ts'); // the suites take a while
    context.end(await runAndReport(target, options, context));
  });
}
