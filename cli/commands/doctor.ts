import type { Command } from 'commander';
import { createRedactor } from '../../harness/redact.ts';
import { shown } from '../../harness/text.ts';
import { painter } from '../../reports/paint.ts';
import type { Probe } from '../../targets/doctor.ts';
import { type Context, wantsColor } from '../context.ts';
import { deploymentOf } from '../deployment-of.ts';
import { lookAt } from '../look-at.ts';
import { UserError } from '../user-error.ts';
import { unlessInterrupted, withHooks } from '../with-hooks.ts';

/** `awc doctor`: whether a deployment can be judged, by a few reading requests. */
export function configureDoctor(command: Command, context: Context): void {
  command
    .argument('[target]', 'the target file; without one, the embedded reference is looked at')
    .action(async (path: string | undefined) => {
      const { target, notes, diagnosis } = await withHooks(
        deploymentOf(path),
        undefined,
        context,
        ({ deployment, signal }) => unlessInterrupted(signal, lookAt({ deployment, seed: 1 })),
      );
      const redactor = createRedactor(target.principals);
      const lines = [
        `${target.name} at ${target.baseUrl}`,
        ...diagnosis.probes.map((probe) => probeLine(probe, wantsColor(context.out))),
        ...notes.map((note) => `! ${note}`),
      ];
      context.out.write(`${lines.map((line) => redactor.text(line)).join('\n')}\n`);
      if (diagnosis.unusable !== undefined) throw new UserError(redactor.text(diagnosis.unusable), 3);
      context.out.write('This deployment can be judged.\n');
    });
}

function probeLine({ principal, operation, resource, isAdmin, sign, outcome }: Probe, color: boolean): string {
  const paint = painter(color);
  const mark = sign === 'speaks' ? paint('good', '✓') : paint('bad', '✗');
  const role = isAdmin ? 'admin' : 'no admin';
  return `  ${mark} ${principal.name} (${role})  ${operation} of ${shown(resource, 80)}: ${outcome}`;
}
