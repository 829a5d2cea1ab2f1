import { type HttpRequest, type Trace, traceParent } from '../../core/http.ts';
import { addressOf } from '../../core/network/address.ts';
import { proxyOf } from '../../core/network/proxy.ts';
import { withLatestKeys } from '../../core/network/renewed-keys.ts';
import type { Route } from '../../core/target.ts';

/** What stands before and behind the trace of a request. */
type Template = { readonly before: string; readonly behind: string };

/**
 * Requests to one base URL as they are written, a character for each byte (latin1): Node writes a string faster than it
 * makes a buffer. What all requests of one object have in common is cached.
 */
export function createRawRequests(route: Route): (request: HttpRequest, trace: Trace) => string {
  const { origin, prefix: ownPrefix } = addressOf(route.baseUrl);
  const { host } = new URL(origin);
  const proxy = proxyOf(route);
  const forwarded = proxy?.kind === 'forward' ? proxy : undefined;
  const prefix = (forwarded === undefined ? '' : origin) + ownPrefix;
  const { renewal } = route;
  let made = new WeakMap<HttpRequest, Template>();
  let version = 0;
  function templateOf(request: HttpRequest): Template {
    const { method, path, headers, body } = withLatestKeys(request, renewal);
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
    const lines = [
      `host: ${host}`,
      'connection: keep-alive',
      ...Object.entries({ ...headers, ...forwarded?.headers }).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`content-length: ${bytes.length}`]),
    ];
    const template = {
      before: `${method} ${prefix}${path} HTTP/1.1\r\ntraceparent: `,
      behind: `\r\n${lines.join('\r\n')}\r\n\r\n${bytes.toString('latin1')}`,
    };
    made.set(request, template);
    return template;
  }

  return (request, trace) => {
    void renewal?.refresh();
    if (renewal !== undefined && renewal.version() !== version) {
      version = renewal.version();
      made = new WeakMap();
    }
    const { before, behind } = made.get(request) ?? templateOf(request);
    return before + traceParent(trace) + behind;
  };
}
