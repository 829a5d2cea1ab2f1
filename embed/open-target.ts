import { type Clock, realClock } from '../core/clock.ts';
import { type Deployment, type HttpRequest, type HttpResponse, traceHeaders, TransportError } from '../core/http.ts';
import type { Outages } from '../core/outages.ts';
import { openDeployment, type OpenDeployment, openOverNetwork } from '../targets/open-deployment.ts';
import { TargetFileError } from '../targets/target-file-error.ts';
import { targetOf } from '../targets/target-file.ts';
import type { TargetFile } from '../targets/target-schema.ts';
import { CannotRun } from './cannot-run.ts';

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

/**
 * Wraps a deployment that a program supplies, so that it answers in time and in the right shape or rejects with a
 * TransportError. It gets no more requests once the signal is aborted.
 */
function handedOver(deployment: Deployment, signal?: AbortSignal): Deployment {
  return async (request) => {
    if (signal?.aborted === true) throw new TransportError('refused', 'The run was aborted.');
    return wellFormed(await inTime(deployment, asReceived(request)));
  };
}

/** A function returns bodies as they are, so it is not asked to compress them. It gets the trace as a server would. */
function asReceived(request: HttpRequest): HttpRequest {
  const { 'accept-encoding': _, ...headers } = request.headers;
  return { ...request, headers: { ...headers, ...traceHeaders(request) } };
}

/** Uses real time, whatever clock the run has, because a promise that never settles would block the run. */
async function inTime(deployment: Deployment, request: HttpRequest): Promise<HttpResponse> {
  const { promise, reject } = Promise.withResolvers<never>();
  const words = `The deployment gave no answer within ${request.timeoutMs} ms.`;
  const timer = setTimeout(() => reject(new TransportError('timeout', words)), request.timeoutMs);
  try {
    return await Promise.race([deployment(request), promise]);
  } catch (error) {
    if (error instanceof TransportError) throw error;
    throw new TransportError(
      'reset',
      `The deployment threw: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** A program without types may return anything. */
function wellFormed({ status, headers, body }: HttpResponse): HttpResponse {
  if (!Number.isInteger(status) || !(body instanceof Uint8Array)) {
    throw new TransportError('malformed', 'The deployment must return { status, headers, body }, body a Uint8Array.');
  }
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { status, headers: Object.fromEntries(lowered), body };
}
