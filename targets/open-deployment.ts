import { dirname, resolve } from 'node:path';
import { type Clock, realClock, virtualClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import { tlsAdvice } from '../core/network/tls-advice.ts';
import type { Outages } from '../core/outages.ts';
import type { Target } from '../core/target.ts';
import type { Advise } from './doctor/doctor.ts';
import { fetchKeys } from './resolve/key-commands.ts';

/** The deployment to open, as plain data for a worker. */
export type DeploymentPlan =
  | {
      readonly kind: 'file';
      /** The path of the target file. */
      readonly path: string;
      /** The output of its setup, merged over the file. */
      readonly patch?: unknown;
    }
  | {
      readonly kind: 'embedded';
      /** The URL of a module that exports `createReference`, which keeps the suites independent of the reference. */
      readonly module: string;
      readonly faults: readonly string[];
      readonly choices: Readonly<Record<string, string>>;
    };

export type OpenDeployment = {
  readonly deployment: Deployment;
  readonly target: Target;
  readonly clock: Clock;
  /** Notes on the target file. */
  readonly notes: readonly string[];
  /** Those for which the target file has a command. */
  readonly outages: Outages;
  /** Why no usable answer comes over the network, if that can be seen without a request: a sentence with a remedy. */
  readonly advise?: Advise | undefined;
  /** The version of HTTP, where the server has a choice and was connected. */
  readonly protocol?: (() => string | undefined) | undefined;
  /** Closes all connections. */
  readonly close: () => void;
};

/** A note about the version of HTTP that the server chose, where it had a choice. */
export function protocolNotes({ protocol }: Pick<OpenDeployment, 'protocol'>): readonly string[] {
  const chosen = protocol?.();
  return chosen === undefined ? [] : [`The server chose ${chosen}.`];
}

/** For the one handshake that may show why nothing is answered. */
const adviceTimeoutMs = 5000;

type EmbeddedModule = {
  readonly createReference: (options: {
    readonly clock: Clock;
    readonly seed: number;
    readonly faults: readonly string[];
    readonly choices: Readonly<Record<string, string>>;
  }) => Pick<OpenDeployment, 'deployment' | 'target' | 'outages'>;
};

/**
 * Opens a deployment: over the network in real time, or embedded in virtual time. Rejects with TargetFileError, or with the
 * embedded module's error about unknown faults and choices. An embedded deployment needs neither undici nor YAML, which take a
 * while to load.
 */
export async function openDeployment(plan: DeploymentPlan, seed: number): Promise<OpenDeployment> {
  if (plan.kind === 'file') {
    const { loadTarget } = await import('./target-file.ts');
    const { outageHooks } = await import('./hooks/outage-hooks.ts');
    const declared = loadTarget(plan.path, process.env, plan.patch);
    const open = await openOverNetwork(declared, dirname(resolve(plan.path)));
    return { ...open, outages: outageHooks(plan.path, process.env) };
  }
  const embedded: EmbeddedModule = await import(plan.module);
  const clock = virtualClock();
  const { faults, choices } = plan;
  return { ...embedded.createReference({ clock, seed, faults, choices }), clock, notes: [], close: () => {} };
}

/** Opens a target over the network, in real time. Commands of keys run in `folder`. Rejects with TargetFileError. */
export async function openOverNetwork(
  { target: declared, notes }: Pick<OpenDeployment, 'target' | 'notes'>,
  folder: string,
): Promise<OpenDeployment> {
  const { networkTarget } = await import('../core/network/entry-points.ts');
  const target = await fetchKeys(declared, { folder, environment: process.env });
  return {
    ...networkTarget(target),
    target,
    clock: realClock,
    notes,
    outages: {},
    advise: (baseUrl) => tlsAdvice({ ...target, baseUrl }, adviceTimeoutMs),
  };
}
