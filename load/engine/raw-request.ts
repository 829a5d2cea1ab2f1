import type { HttpRequest } from '../../core/http.ts';
import { addressOf } from '../../core/network/address.ts';
import { proxyOf } from '../../core/network/proxy.ts';
import { withLatestKeys } from '../../core/network/renewed-keys.ts';
import type { Route } from '../../core/target.ts';

/** The bytes of requests to one base URL, cached for each request object. */
export function createRawRequests(route: Route): (request: HttpRequest) => Buffer {
  const { origin, prefix: ownPrefix } = addressOf(route.baseUrl);
  const { host } = new URL(origin);
  const proxy = proxyOf(route);
  const forwarded = proxy?.kind === 'forward' ? proxy : undefined;
  const prefix = (forwarded === undefined ? '' : origin) + ownPrefix;
  const { renewal } = route;
  let made = new WeakMap<HttpRequest, Buffer>();
  let version = 0;
  return (request) => {
    void renewal?.refresh();
    if (renewal !== undefined && renewal.version() !== version) {
      version = renewal.version();
      made = new WeakMap();
    }
    const known = made.get(request);
    if (known !== undefined) return known;
    const { method, path, headers, body } = withLatestKeys(request, renewal);
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
    const lines = [
      `${method} ${prefix}${path} HTTP/1.1`,
      `host: ${host}`,
      'connection: keep-alive',
      ...Object.entries({ ...headers, ...forwarded?.headers }).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`content-length: ${bytes.length}`]),
    ];
    const raw = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
    made.set(request, raw);
    return raw;
  };
}
