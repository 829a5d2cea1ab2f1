import type { Deployment, HttpRequest, HttpResponse } from '../../core/http.ts';

/** For tests: an error as the specification has it. */
export function errorAnswer(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const body = Buffer.from(JSON.stringify({ error: { title: 'Refused', detail: 'by a test', ...retry(headers) } }));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function retry({ 'retry-after': seconds }: Readonly<Record<string, string>>) {
  return seconds === undefined ? {} : { retryAfterMs: 1000 * Number(seconds) };
}

/** For tests: what stands before a deployment, and answers some requests with an error of its own. */
export function refusing(
  statusOf: (request: HttpRequest) => number | undefined,
  headers: Readonly<Record<string, string>> = {},
): (behind: Deployment) => Deployment {
  return (behind) => async (request) => {
    const status = statusOf(request);
    return status === undefined ? behind(request) : errorAnswer(status, headers);
  };
}
