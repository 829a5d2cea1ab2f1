import { createServer } from 'node:http';
import { modelLatencyMs, latencyModelSchema } from './latency-models.ts';

/** A target with a known latency model, in its own process. It sends its port to the parent process and exits with it. */
const model = latencyModelSchema.parse(JSON.parse(process.argv[2] ?? ''));
const body = Buffer.from('{"data":{"id":"ba"}}');

const server = createServer((message, reply) => {
  const takesMs = modelLatencyMs(model, performance.timeOrigin + performance.now());
  message.resume();
  setTimeout(() => {
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    reply.end(body);
  }, takesMs);
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => {
  server.close();
  server.closeAllConnections();
});
