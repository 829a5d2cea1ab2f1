import { type Clock, realClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import type { Outages } from '../core/outages.ts';
import { openDeployment, openOverNetwork, type OpenDeployment } from '../targets/open-deployment.ts';
import { TargetFileError } from '../targets/target-file-error.ts';
import { targetOf } from '../targets/target-of.ts';
import type { TargetFile } from '../targets/target-schema.ts';
import { CannotRun } from './cannot-run.ts';
import { handedOver } from './handed-over.ts';

/** The target to judge: the path of a target file, or its content. */
export type TargetSource = string | TargetFile;

/** What answers instead of the network. */
export type InPlace = {
  /** Answers every request in this process; nothing goes over the network. */
  readonly deployment?: Deployment | undefined;
  /** The clock of such a deployment; real time by default. */
  readonly clock?: Clock | undefined;
  /** Restarts such a deployment on its stored data, and so on: for the checks that judge what outlasts an outage. */
  readonly outages?: Outages | undefined;
};

/** Opens the target that a program names. Rejects with {@link CannotRun}. */
export async function openTarget(
  source: TargetSource,
  { deployment, clock = realClock, outages = {} }: InPlace,
  signal?: AbortSignal,
): Promise<OpenDeployment> {
  try {
    const open =
      typeof source === 'string'
        ? await openDeployment({ kind: 'file', path: source }, 0)
        : await openOverNetwork(targetOf(source, deployment === undefined ? process.env : {}), process.cwd());
    if (deployment === undefined) return open;
    open.close();
    return { ...open, clock, outages, advise: undefined, deployment: handedOver(deployment, signal), close: () => {} };
  } catch (error) {
    throw error instanceof TargetFileError ? new CannotRun('usage', error.message) : error;
  }
}
