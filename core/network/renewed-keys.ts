import type { Deployment, HttpRequest, HttpResponse } from '../http.ts';
import type { KeyRenewal } from '../target.ts';

/** The deployment with keys that are renewed when they are due. */
export function renewing(deployment: Deployment, renewal: KeyRenewal | undefined): Deployment {
  if (renewal === undefined) return deployment;
  return async (request) => {
    await renewal.refresh();
    return withFirstKeys(await deployment(withLatestKeys(request, renewal)), renewal);
  };
}

/** The request as it is sent: with the latest keys. */
export function withLatestKeys(request: HttpRequest, renewal: KeyRenewal | undefined): HttpRequest {
  if (renewal === undefined || renewal.version() === 0) return request;
  return { ...request, path: renewal.latest(request.path), headers: mapped(request.headers, renewal.latest) };
}

/** The answer as the rest of the suite sees it: with the first keys, so that it recognises a key that is quoted. */
function withFirstKeys(response: HttpResponse, renewal: KeyRenewal): HttpResponse {
  if (renewal.version() === 0) return response;
  const text = Buffer.from(response.body).toString('latin1');
  const replaced = renewal.first(text);
  const body = replaced === text ? response.body : Buffer.from(replaced, 'latin1');
  return { ...response, headers: mapped(response.headers, renewal.first), body };
}

type Headers = HttpRequest['headers'];

function mapped(headers: Headers, map: (value: string) => string): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value)]));
}
