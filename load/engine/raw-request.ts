import type { HttpRequest } from '../../core/http.ts';
import type { Route } from '../../core/target.ts';

/** The bytes of requests to one base URL, cached for each request object. */
export function createRawRequests({ baseUrl }: Route): (request: HttpRequest) => Buffer {
  const { host, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const made = new WeakMap<HttpRequest, Buffer>();
  return (request) => {
    const known = made.get(request);
    if (known !== undefined) return known;
    const { method, path, headers, body } = request;
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
    const lines = [
      `${method} ${prefix}${path} HTTP/1.1`,
      `host: ${host}`,
      'connection: keep-alive',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`content-length: ${bytes.length}`]),
    ];
    const raw = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
    made.set(request, raw);
    return raw;
  };
}
