import type { Check } from '../../engine/check.ts';
import type { CertifyOptions } from '../../certificates/certify.ts';
import type { CheckRecord } from '../../reports/record/record.ts';
import type { RunPlan } from '../../suites/plan.ts';
import { announcement } from '../run/announcement.ts';
import { forecast, usualLatency } from '../run/forecast.ts';
import { lookAt, openForUser } from '../run/look-at.ts';
import { showProgress } from '../run/progress.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';

/** A deployment that is open and can be judged. */
type Live = Pick<CertifyOptions, 'target' | 'embedded' | 'notes' | 'world' | 'breathe'> & {
  readonly onCheck: (check: CheckRecord) => void;
};

/** Opens a deployment for a run that others rely on, shows the progress, and closes it. Rejects with UserError if it cannot be judged. */
export async function onDeployment<Result>(
  plan: Pick<RunPlan, 'deployment' | 'seed'>,
  checks: readonly Check<string>[],
  { err }: Pick<Context, 'err'>,
  judge: (live: Live) => Promise<Result>,
): Promise<Result> {
  const { target: judged, notes, diagnosis } = await lookAt(plan);
  if (judged.tls?.insecure === true) throw new UserError(unverified);
  if (diagnosis.unusable !== undefined) throw new UserError(diagnosis.unusable, 3);
  const embedded = plan.deployment.kind === 'embedded';
  const { seed } = plan;
  // The embedded reference takes only a second or two, so it needs no forecast.
  const expected = embedded
    ? undefined
    : await forecast({ target: judged, checks, latencyMs: usualLatency(diagnosis), seed, outages: [] });
  if (expected !== undefined) err.write(announcement(expected, checks.length));
  const progress = showProgress(err, checks, expected);
  const { target, clock, close, deployment } = await openForUser(plan);
  try {
    return await judge({
      target,
      embedded,
      notes: [...notes],
      world: { deployment, clock },
      breathe: embedded ? () => clock.sleep(0) : () => new Promise((resolve) => setImmediate(resolve)),
      onCheck: progress.onCheck,
    });
  } finally {
    progress.end();
    close();
  }
}

const unverified =
  'tls.insecure accepts every certificate, so nothing shows whose answers would be certified: remove it, or name the authority in tls.ca.';
