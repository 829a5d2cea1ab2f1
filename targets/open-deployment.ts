import { type Clock, realClock, virtualClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import { networkDeployment } from '../core/network/network.ts';
import type { Target } from '../core/target.ts';
import { restartHook } from './hooks/restart-hook.ts';
import { loadTarget } from './target-file.ts';

/** What to run on, as plain data that can be handed to a worker. */
export type DeploymentPlan =
  | {
      readonly kind: 'file';
      /** The path of the target file. */
      readonly path: string;
      /** What its setup printed, to be merged over it. */
      readonly patch?: unknown;
    }
  | {
      readonly kind: 'embedded';
      /** The URL of a module that exports `createReference`: the suites know the reference only by that. */
      readonly module: string;
      readonly faults: readonly string[];
      readonly choices: Readonly<Record<string, string>>;
    };

export type OpenDeployment = {
  readonly deployment: Deployment;
  readonly target: Target;
  readonly clock: Clock;
  /** What the reader should know of the target file. */
  readonly notes: readonly string[];
  /** Ends the deployment and starts it again, where the target file says how. */
  readonly restart: (() => Promise<void>) | undefined;
  /** Ends all connections. */
  readonly close: () => void;
};

/** A module that makes deployments in-process. */
type EmbeddedModule = {
  readonly createReference: (options: {
    readonly clock: Clock;
    readonly seed: number;
    readonly faults: readonly string[];
    readonly choices: Readonly<Record<string, string>>;
  }) => Pick<OpenDeployment, 'deployment' | 'target' | 'restart'>;
};

/**
 * The deployment of a plan: over the network in real time, or embedded in virtual time, where all follows from the seed.
 * Rejects with TargetFileError, or with what the module says of unknown faults and choices.
 */
export async function openDeployment(plan: DeploymentPlan, seed: number): Promise<OpenDeployment> {
  if (plan.kind === 'file') {
    const { target, notes } = loadTarget(plan.path, process.env, plan.patch);
    return {
      ...networkDeployment(target.baseUrl),
      target,
      clock: realClock,
      notes,
      restart: restartHook(plan.path, process.env),
    };
  }
  const embedded: EmbeddedModule = await import(plan.module);
  const clock = virtualClock();
  const { faults, choices } = plan;
  return { ...embedded.createReference({ clock, seed, faults, choices }), clock, notes: [], close: () => {} };
}
