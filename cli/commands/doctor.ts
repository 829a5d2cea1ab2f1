import type { Command } from 'commander';
import { createRedactor } from '../../core/redact.ts';
import { shown } from '../../core/text.ts';
import { type Paint, painter } from '../../reports/text/paint.ts';
import type { Probe } from '../../targets/doctor/doctor.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { deploymentOf } from '../run/deployment-of.ts';
import { UserError } from '../shared/user-error.ts';
import { unlessInterrupted, withHooks } from '../hooks/with-hooks.ts';

/** `awc doctor`: whether a deployment can be judged, and what a run would do. */
export function configure(command: Command, context: Context): void {
  command
    .argument('[target]', 'the target file; without one, the embedded reference')
    .addHelpText(
      'after',
      '\nawc doctor only reads. If the target file allows messages, it also sends a few messages to one chat.',
    )
    .action(async (path: string | undefined) => {
      const { lookClosely } = await import('../doctor/look-closely.ts'); // the suites take a while
      const { renderDoctor } = await import('../doctor/render-doctor.ts');
      const color = wantsColor(context.out);
      const show = (step: string) => void (context.err.isTTY && context.err.write(`\r\u001b[2K${step}`));
      const { target, diagnosis, findings } = await withHooks(deploymentOf(path), undefined, context, (plan) =>
        unlessInterrupted(plan.signal, lookClosely(plan.deployment, 1, show)),
      ).finally(() => show(''));
      const redactor = createRedactor(target.principals);
      const say = (text: string) => void context.out.write(`${redactor.text(text)}\n`);
      say(`${target.name} at ${target.baseUrl}`);
      if (findings === undefined) {
        for (const probe of diagnosis.probes) say(probeLine(probe, painter(color)));
        throw new UserError(redactor.text(diagnosis.unusable ?? ''), 3);
      }
      say(`\n${renderDoctor(findings, color)}`);
      say('This deployment can be judged.');
    });
}

function probeLine({ principal, operation, resource, isAdmin, sign, outcome }: Probe, paint: Paint): string {
  const mark = sign === 'speaks' ? paint('good', '✓') : paint('bad', '✗');
  const role = isAdmin ? 'admin' : 'not admin';
  return `  ${mark} ${principal.name} (${role})  ${operation} of ${shown(resource, 80)}: ${outcome}`;
}
