import { type Clock, realClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import { openDeployment, type OpenDeployment } from '../targets/open-deployment.ts';
import { networkDeployment } from '../core/network/network.ts';
import { TargetFileError } from '../targets/target-file-error.ts';
import { targetOf } from '../targets/target-of.ts';
import type { TargetFile } from '../targets/target-schema.ts';
import { CannotRun } from './cannot-run.ts';
import { handedOver } from './handed-over.ts';

/** What to judge: the path of a target file, or what would stand in one. */
export type TargetSource = string | TargetFile;

/** What answers instead of the network. */
export type InPlace = {
  /** Answers every request itself, as a service that runs in this process can; nothing goes over the network. */
  readonly deployment?: Deployment | undefined;
  /** The time that such a deployment lives in; real time without it. */
  readonly clock?: Clock | undefined;
  /** Ends such a deployment and starts it again on what it has stored, for the checks of durability. */
  readonly restart?: (() => Promise<void>) | undefined;
};

/** Opens what a program names. Rejects with {@link CannotRun}. */
export async function openTarget(
  source: TargetSource,
  { deployment, clock = realClock, restart }: InPlace,
  signal?: AbortSignal,
): Promise<OpenDeployment> {
  try {
    const open =
      typeof source === 'string' ? await openDeployment({ kind: 'file', path: source }, 0) : overNetwork(source);
    if (deployment === undefined) return open;
    open.close();
    return { ...open, clock, restart, deployment: handedOver(deployment, signal), close: () => {} };
  } catch (error) {
    throw error instanceof TargetFileError ? new CannotRun('usage', error.message) : error;
  }
}

function overNetwork(file: TargetFile): OpenDeployment {
  const { target, notes } = targetOf(file);
  return { ...networkDeployment(target.baseUrl), target, clock: realClock, notes, restart: undefined };
}
