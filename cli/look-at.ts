import type { Target } from '../harness/target.ts';
import { openDeployment } from '../targets/open-deployment.ts';
import type { RunPlan } from '../suites/plan.ts';

/** What is known of a deployment before it is judged. */
export type Look = { readonly target: Target; readonly notes: readonly string[]; readonly requests: number };

/** Opens what a plan names. */
export async function lookAt({ deployment, seed }: RunPlan): Promise<Look> {
  const opened = await openDeployment(deployment, seed);
  opened.close();
  return { target: opened.target, notes: opened.notes, requests: 0 };
}
