import { createSession } from '../../engine/session/session.ts';
import { type OutageKind, possibleOutages } from '../../core/outages.ts';
import type { Deployment } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import type { RunPlan } from '../../suites/plan.ts';
import { type Diagnosis, diagnose } from '../../targets/doctor/doctor.ts';
import { type OpenDeployment, openDeployment, protocolNotes } from '../../targets/open-deployment.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { UserError } from '../shared/user-error.ts';

/** What the suite knows about a deployment before it judges it, without the answers, which may be large. */
export type Look = {
  readonly target: Target;
  readonly notes: readonly string[];
  readonly diagnosis: Omit<Diagnosis, 'probes'>;
  /** What can be made to happen to the deployment. */
  readonly outages: readonly OutageKind[];
};

/**
 * Opens the deployment of a plan and finds out whether it can be judged, with requests that go `through` what the caller puts in front of
 * it. Rejects with UserError if the plan is wrong.
 */
export async function lookAt(
  plan: Pick<RunPlan, 'deployment' | 'seed'>,
  through: (opened: Pick<OpenDeployment, 'deployment' | 'target'>) => Deployment = ({ deployment }) => deployment,
): Promise<Look> {
  const opened = await openForUser(plan);
  const { target, clock, notes, outages, advise, protocol, close } = opened;
  try {
    const session = createSession({ deployment: through(opened), target, clock, seed: plan.seed, invariants: [] });
    const { probes: _answers, ...diagnosis } = await diagnose(session, advise);
    return {
      target,
      notes: [...notes, ...protocolNotes({ protocol }), ...diagnosis.notes],
      diagnosis,
      outages: possibleOutages(outages),
    };
  } finally {
    close();
  }
}

/** Opens a deployment. An error that the user can fix is a UserError. */
export async function openForUser({ deployment, seed }: Pick<RunPlan, 'deployment' | 'seed'>): Promise<OpenDeployment> {
  try {
    return await openDeployment(deployment, seed);
  } catch (error) {
    // The reference throws for unknown faults and choices, and lists the known ones.
    const isUsers = error instanceof TargetFileError || deployment.kind === 'embedded';
    if (isUsers && error instanceof Error) throw new UserError(error.message);
    throw error;
  }
}
