import type { Target } from '../../core/target.ts';
import type { Profile } from '../profile/profile.ts';
import { exportedFlow } from './exported-flow.ts';
import { exportedLoad } from './exported-load.ts';
import { renderArtillery } from './render-artillery.ts';
import { renderK6 } from './render-k6.ts';
import { renderK6Flow } from './render-k6-flow.ts';

export type ExportFormat = 'k6' | 'artillery';

/** A profile for a target as a script for another engine, or why there is none. */
export function exportScript(
  format: ExportFormat,
  profile: Profile,
  target: Target,
): { readonly script: string } | { readonly problem: string } {
  const { name, load } = profile;
  const nothing = { problem: `The target file declares nothing that ${name} could request.` };
  if (load.flow !== undefined) {
    if (format === 'artillery') {
      return {
        problem: `load.flow.steps of ${name} cannot be written for Artillery, whose users have no chat of their own. Use --format k6.`,
      };
    }
    const flow = exportedFlow(profile, load.flow, target);
    return flow.users.length === 0 ? nothing : { script: renderK6Flow(flow) };
  }
  if (load.schedule === undefined) {
    return {
      problem: `load.${load.kind} of ${name} cannot be exported: only load.open and load.flow mean the same in every engine. Try --profile steady.`,
    };
  }
  const open = exportedLoad(profile, load.schedule, target);
  if (open.entries.length === 0) return nothing;
  return { script: format === 'k6' ? renderK6(open) : renderArtillery(open) };
}
