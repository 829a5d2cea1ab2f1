import { existsSync } from 'node:fs';
import { type Command, Option } from '@commander-js/extra-typings';
import { loadKinds } from '../../load/kinds/kinds.ts';
import { templateOf } from '../../load/profile/profile-file.ts';
import { announcement, neverJudgedOf, refuseUnlessAllowed, shapeOf } from '../load/announce-load.ts';
import { loadForUser, targetForUser } from '../load/load-plan.ts';
import { wholeLoad } from '../../load/schedule/arrivals.ts';
import { some } from '../../reports/text/figures.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

/** `awc profile init|check`: write a load profile, and find what is wrong with one. Nothing is sent. */
export function configure(command: Command, context: Context): void {
  command
    .command('init')
    .description('write a load profile to start from')
    .argument('[file]', 'the file to write', 'profile.yaml')
    .addOption(
      new Option('--kind <kind>', 'the kind of load').choices(loadKinds.map(({ name }) => name)).default('open'),
    )
    .option('--force', 'replace an existing file')
    .action(async (file, { kind, force }) => {
      if (force !== true && existsSync(file))
        throw new UserError(`${file} already exists: name another file, or add --force.`);
      await writeWhole(file, templateOf(kind));
      context.out.write(`${file} holds a profile. Check it with awc profile check ${file}.\n`);
      context.end(0);
    });
  command
    .command('check')
    .description('find the mistakes in a load profile, and show what it would send')
    .argument('<profile>', 'a profile file, or the name of a shipped profile')
    .argument('[target]', 'the target file that it is meant for')
    .action((name, target) => {
      const profile = loadForUser(name, context.env);
      context.out.write(
        `${name} is a valid profile: ${profile.load.kind}, ${some(profile.thresholds.length, 'threshold')}.\n`,
      );
      if (profile.thresholds.length === 0)
        context.out.write('It has no thresholds: a load only checks that each operation is served.\n');
      for (const line of [...neverJudgedOf(profile), ...shapeOf(profile)]) context.out.write(`${line}\n`);
      if (target !== undefined) {
        const declared = targetForUser(target, context.env);
        refuseUnlessAllowed(profile, declared);
        context.out.write(`${announcement(profile, declared, wholeLoad)}\n`);
      }
      context.end(0);
    });
}
