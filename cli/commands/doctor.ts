import type { Command } from '@commander-js/extra-typings';
import { redactorOf } from '../../core/redaction/redact.ts';
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
    .action(async (path) => {
      const { lookClosely } = await import('../doctor/look-closely.ts'); // the suites take a while
      const { doctorSections, probeLines, renderDoctor, renderLine } = await import('../doctor/render-doctor.ts');
      const color = wantsColor(context.out);
      const show = (step: string) => void (context.err.isTTY && context.err.write(`\r\u001b[2K${step}`));
      const { target, diagnosis, findings } = await withHooks(deploymentOf(path), undefined, context, (plan) =>
        unlessInterrupted(plan.signal, lookClosely(plan.deployment, 1, show)),
      ).finally(() => show(''));
      const redactor = redactorOf(target);
      const say = (text: string) => void context.out.write(`${redactor.text(text)}\n`);
      say(`${target.name} at ${(target.baseUrls ?? [target.baseUrl]).join(' and ')}`);
      if (findings === undefined) {
        for (const line of probeLines(diagnosis.probes)) say(renderLine(line, color));
        throw new UserError(redactor.text(diagnosis.unusable ?? diagnosis.unreadable ?? ''), 3);
      }
      const sections = doctorSections(findings);
      say(`\n${renderDoctor(sections, color)}`);
      const mistakes = sections.flatMap(({ lines }) => lines).filter(({ tone }) => tone === 'bad').length;
      say(verdictOn(mistakes));
      context.end(mistakes === 0 ? 0 : 1);
    });
}

function verdictOn(mistakes: number): string {
  if (mistakes === 0) return 'This deployment can be judged.';
  const lines = mistakes === 1 ? 'the line that begins' : `the ${mistakes} lines that begin`;
  return `This deployment can be judged, but first correct what is wrong: see ${lines} with ✗.`;
}
