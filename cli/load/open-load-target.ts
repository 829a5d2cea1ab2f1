import type { Deployment } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import type { RateCap } from '../../load/engine/rate-cap.ts';
import type { Profile } from '../../load/profile/profile.ts';
import { startEmbedded } from './embedded-target.ts';
import type { RateCaps } from './rate-caps.ts';
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
  readonly rateCaps: RateCaps;
};

/**
 * Opens a target and checks whether it answers. The rate limit of the reference is off unless the profile measures it;
 * otherwise a load would measure nothing else.
 */
export async function openLoadTarget(
  { load }: Profile,
  { plan: { deployment, signal }, seed, rateCaps }: OpenTargetOptions,
): Promise<OpenedTarget> {
  if (deployment.kind === 'embedded') {
    const { faults } = deployment;
    const choices = load.effects.includes('rateLimit')
      ? deployment.choices
      : { 'rate-quota': 'none', ...deployment.choices };
    const started = await unlessInterrupted(signal, startEmbedded({ seed: 1, faults, choices }));
    return { isEmbedded: true, notes: [], ...started };
  }
  const look = lookAt({ deployment, seed }, (opened) => under(rateCaps(opened.target), opened.deployment));
  const { target, notes, diagnosis } = await unlessInterrupted(signal, look);
  if (diagnosis.unusable !== undefined) throw new UserError(diagnosis.unusable, 3);
  return { target, isEmbedded: false, notes, close: async () => {} };
}

/**
 * The deployment, which gets no more requests than the limit admits. The first ones may take long to arrive, because they open
 * connections, so each counts from when it is answered.
 */
function under(rateCap: RateCap, deployment: Deployment): Deployment {
  return async (request) => {
    const { promise: admitted, resolve } = Promise.withResolvers<number>();
    rateCap.admit((at) => {
      resolve(at);
      return true;
    });
    const leftAt = await admitted;
    return deployment(request).finally(() => rateCap.arrived(leftAt));
  };
}
