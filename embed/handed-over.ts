import { type Deployment, type HttpRequest, type HttpResponse, traceHeaders, TransportError } from '../core/http.ts';

/**
 * Wraps a deployment that a program supplies, so that it answers in time and in the right shape or rejects with a
 * TransportError. It gets no more requests once the signal is aborted.
 */
export function handedOver(deployment: Deployment, signal?: AbortSignal): Deployment {
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
