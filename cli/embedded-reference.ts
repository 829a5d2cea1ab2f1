import type { DeploymentPlan } from '../targets/open-deployment.ts';
import { ownModule } from './own-module.ts';

/** The embedded reference with these faults and choices, as a plan. */
export function embeddedReference(
  faults: readonly string[],
  choices: Readonly<Record<string, string>>,
): DeploymentPlan {
  return { kind: 'embedded', module: ownModule('reference/reference'), faults, choices };
}
