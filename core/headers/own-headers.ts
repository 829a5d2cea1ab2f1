import type { HttpRequest } from '../http.ts';
import type { Principal, Target } from '../target.ts';

/** The principal with the most organizations. Requests with a wrong credential imitate its requests. */
export function keyholderOf([first, ...more]: readonly Principal[]): Principal | undefined {
  return first && more.reduce((best, next) => (next.adminOf.length > best.adminOf.length ? next : best), first);
}

/**
 * Adds the headers of the target file to a request: those of the principal whose key it carries, otherwise those of the
 * keyholder, so that a request with a wrong credential differs from a valid one only in its credential.
 */
export function withOwnHeaders({ principals }: Pick<Target, 'principals'>): (request: HttpRequest) => HttpRequest {
  if (principals.every(({ headers }) => headers === undefined)) return (request) => request;
  const keyholder = keyholderOf(principals);
  const longestFirst = principals.toSorted((a, b) => b.key.length - a.key.length);
  return (request) => {
    const { authorization } = request.headers;
    const sender = longestFirst.find(({ key }) => authorization?.includes(key) === true) ?? keyholder;
    return { ...request, headers: joined(request.headers, sender?.headers ?? {}) };
  };
}

type Headers = HttpRequest['headers'];

/** The header of the file wins, because a gateway needs it. Cookies are sent together. */
function joined(headers: Headers, own: Headers): Headers {
  const cookies = [own['cookie'], headers['cookie']].filter((cookie) => cookie !== undefined);
  return { ...headers, ...own, ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }) };
}
