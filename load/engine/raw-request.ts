import { type HttpRequest, type Trace, traceParent, traceParentLength } from '../../core/http.ts';
import { addressOf } from '../../core/network/address.ts';
import { proxyOf } from '../../core/network/proxy.ts';
import { withLatestKeys } from '../../core/network/renewed-keys.ts';
import type { Route } from '../../core/target.ts';

/** The bytes of a request without its trace, and where that belongs. */
type Template = { readonly bytes: Buffer; readonly traceAt: number };

/** The bytes of requests to one base URL. What all requests of one object have in common is cached. */
export function createRawRequests(route: Route): (request: HttpRequest, trace: Trace) => Buffer {
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
    const start = `${method} ${prefix}${path} HTTP/1.1\r\ntraceparent: `;
    const lines = [
      start + ' '.repeat(traceParentLength),
      `host: ${host}`,
      'connection: keep-alive',
      ...Object.entries({ ...headers, ...forwarded?.headers }).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`content-length: ${bytes.length}`]),
    ];
    const raw = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
    const template = { bytes: raw, traceAt: start.length };
    made.set(request, template);
    return template;
  }

  return (request, trace) => {
    void renewal?.refresh();
    if (renewal !== undefined && renewal.version() !== version) {
      version = renewal.version();
      made = new WeakMap();
    }
    const template = made.get(request) ?? templateOf(request);
    const raw = Buffer.from(template.bytes); // the one before may not have left yet
    raw.write(traceParent(trace), template.traceAt, 'latin1');
    return raw;
  };
}
