import type { Target } from '../../core/target.ts';
import type { Profile } from '../../load/profile/profile.ts';
import { startEmbedded } from './embedded-target.ts';
import { lookAt } from '../run/look-at.ts';
import { UserError } from '../shared/user-error.ts';
import { type HookedPlan, unlessInterrupted } from '../hooks/with-hooks.ts';

/** A target for a load, until it is closed. */
export type OpenedTarget = {
  readonly target: Target;
  readonly isEmbedded: boolean;
  readonly notes: readonly string[];
  readonly close: () => Promise<void>;
};

export type OpenTargetOptions = {
  /** The embedded reference gets its own process. */
  readonly plan: HookedPlan;
  readonly seed: number;
};

/**
 * Opens a target and checks whether it answers. The rate limit of the reference is off unless the profile measures it;
 * otherwise a load would measure nothing else.
 */
export async function openLoadTarget(
  { load }: Profile,
  { plan: { deployment, signal }, seed }: OpenTargetOptions,
): Promise<OpenedTarget> {
  if (deployment.kind === 'embedded') {
    const { faults } = deployment;
    const choices = load.effects.includes('rateLimit')
      ? deployment.choices
      : { 'rate-quota': 'none', ...deployment.choices };
    const started = await unlessInterrupted(signal, startEmbedded({ seed: 1, faults, choices }));
    return { isEmbedded: true, notes: [], ...started };
  }
  const { target, notes, diagnosis } = await unlessInterrupted(signal, lookAt({ deployment, seed }));
  if (diagnosis.unusable !== undefined) throw new UserError(diagnosis.unusable, 3);
  return { target, isEmbedded: false, notes, close: async () => {} };
}
