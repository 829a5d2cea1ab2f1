import type { Target } from '../harness/target.ts';
import type { Profile } from '../profiles/profile.ts';
import { deploymentOf } from './deployment-of.ts';
import { startEmbedded } from './embedded-target.ts';
import { lookAt } from './look-at.ts';
import { UserError } from './user-error.ts';

/** A target that load can be put on, until it is closed. */
export type OpenedTarget = {
  readonly target: Target;
  readonly isEmbedded: boolean;
  readonly notes: readonly string[];
  readonly close: () => Promise<void>;
};

export type OpenTargetOptions = {
  /** The target file; undefined is the embedded reference, in a process of its own. */
  readonly path: string | undefined;
  readonly seed: number;
  readonly fault: readonly string[];
  readonly choice: Readonly<Record<string, string>>;
};

/**
 * Opens a target and looks whether it answers. The reference has a quota of its own, which would be all that a load ever
 * met; only the profile about it wants to meet it.
 */
export async function openLoadTarget(
  { load }: Profile,
  { path, seed, fault, choice }: OpenTargetOptions,
): Promise<OpenedTarget> {
  if (path === undefined) {
    const choices = load.kind === 'rateLimit' ? choice : { 'rate-quota': 'none', ...choice };
    return { isEmbedded: true, notes: [], ...(await startEmbedded({ seed: 1, faults: fault, choices })) };
  }
  const { target, notes, diagnosis } = await lookAt({ deployment: deploymentOf(path, fault, choice), seed });
  if (diagnosis.unusable !== undefined) throw new UserError(diagnosis.unusable, 3);
  return { target, isEmbedded: false, notes, close: async () => {} };
}
