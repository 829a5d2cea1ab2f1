import { type ExportFormat, exportScript } from '../../load/export/export-script.ts';
import { refuseUnlessAllowed } from './announce-load.ts';
import type { Context } from '../shared/context.ts';
import { loadForUser, targetForUser } from './load-plan.ts';
import { UserError } from '../shared/user-error.ts';

/** Prints a profile for a target as a script for another engine. Nothing is sent, and no hook runs. */
export function exportLoad(path: string, name: string, format: ExportFormat, { env, data }: Context): void {
  const profile = loadForUser(name, env);
  const target = targetForUser(path, env);
  refuseUnlessAllowed(profile, target);
  const exported = exportScript(format, profile, target);
  if ('problem' in exported) throw new UserError(exported.problem);
  data.write(exported.script);
}
