import { exportedLoad } from '../../load/export/exported-load.ts';
import { renderArtillery } from '../../load/export/render-artillery.ts';
import { renderK6 } from '../../load/export/render-k6.ts';
import { refuseUnlessAllowed } from './announce-load.ts';
import type { Context } from '../shared/context.ts';
import { loadForUser, targetForUser } from './load-plan.ts';
import { UserError } from '../shared/user-error.ts';

export type ExportFormat = 'k6' | 'artillery';

/** Prints a profile for a target as a script for another engine. Nothing is sent, and no hook runs. */
export function exportLoad(path: string, name: string, format: ExportFormat, { env, data }: Context): void {
  const profile = loadForUser(name, env);
  const target = targetForUser(path, env);
  refuseUnlessAllowed(profile, target);
  const { schedule } = profile.load;
  if (schedule === undefined) {
    throw new UserError(
      `${profile.name} is not an open load: only a schedule of arrivals means the same in every engine. Try --profile steady.`,
    );
  }
  const exported = exportedLoad(profile, schedule, target);
  if (exported.entries.length === 0)
    throw new UserError(`${path} declares nothing that ${profile.name} could request.`);
  data.write(rendered(format));

  function rendered(as: ExportFormat): string {
    switch (as) {
      case 'k6':
        return renderK6(exported);
      case 'artillery':
        return renderArtillery(exported);
    }
  }
}
