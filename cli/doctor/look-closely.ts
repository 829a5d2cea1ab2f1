import { createSession } from '../../engine/session/session.ts';
import { readTls } from '../../core/network/tls-facts.ts';
import { possibleOutages } from '../../core/outages.ts';
import type { Target } from '../../core/target.ts';
import { type Diagnosis, diagnose } from '../../targets/doctor/doctor.ts';
import { examine } from '../../targets/doctor/examine.ts';
import { type DeploymentPlan, protocolNotes } from '../../targets/open-deployment.ts';
import { openForUser } from '../run/look-at.ts';
import { rehearse } from '../run/rehearse.ts';
import type { Findings } from './render-doctor.ts';

const tlsTimeoutMs = 10_000;

export type ClosedLook = {
  readonly target: Target;
  readonly diagnosis: Diagnosis;
  /** Undefined if the deployment cannot be judged. */
  readonly findings: Findings | undefined;
};

/** Opens a deployment and, if it can be judged, examines it. `onStep` gets the name of each step. */
export async function lookClosely(
  plan: DeploymentPlan,
  seed: number,
  onStep: (step: string) => void,
): Promise<ClosedLook> {
  const { deployment, target, clock, notes, outages, advise, protocol, close } = await openForUser({
    deployment: plan,
    seed,
  });
  try {
    const session = createSession({ deployment, target, clock, seed, invariants: [] });
    const diagnosis = await diagnose(session, advise);
    if ((diagnosis.unusable ?? diagnosis.unreadable) !== undefined) return { target, diagnosis, findings: undefined };
    const tls = plan.kind === 'file' ? await readTls(target, tlsTimeoutMs) : undefined;
    const examination = await examine(session, onStep);
    onStep('rehearsing a run');
    const rehearsal = await rehearse({ target, examination, seed, outages: possibleOutages(outages) });
    const found = {
      target,
      notes: [...notes, ...protocolNotes({ protocol })],
      examination,
      rehearsal,
      tls,
      nowMs: clock.now(),
    };
    return { target, diagnosis, findings: found };
  } finally {
    close();
  }
}
