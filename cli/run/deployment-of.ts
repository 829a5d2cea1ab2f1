import type { DeploymentPlan } from '../../targets/open-deployment.ts';
import { ownModule } from '../../core/own-module.ts';
import { UserError } from '../shared/user-error.ts';

/** The deployment of a target file or, without one, the embedded reference with these faults and choices. */
export function deploymentOf(
  path: string | undefined,
  faults: readonly string[] = [],
  choices: Readonly<Record<string, string>> = {},
): DeploymentPlan {
  if (path === undefined) return { kind: 'embedded', module: ownModule('reference/reference').href, faults, choices };
  if (faults.length > 0 || Object.keys(choices).length > 0) {
    throw new UserError('--fault and --choice change the embedded reference: leave the target file out.');
  }
  return { kind: 'file', path };
}
