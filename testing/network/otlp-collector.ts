import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { portOf } from './port-of.ts';

/** A collector for metrics that answers with this status, until the test ends. */
export async function otlpCollector(status: number) {
  const received: { readonly path: string | undefined; readonly key: unknown; readonly body: unknown }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      received.push({ path: request.url, key: request.headers['api-key'], body: JSON.parse(text) });
      response.writeHead(status).end('{"secret":"se=cret"}');
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${portOf(server)}/v1/metrics` };
}
