import { createServer } from 'node:http';
import { type Answered, modelLatencyMs, latencyModelSchema } from './latency-models.ts';

/**
 * A target with a known latency model, in its own process. It sends its port to the parent process and exits with it. When
 * asked, it sends how much later than its model it answered each request: timers are not exact, and many answers at once take time.
 */
const model = latencyModelSchema.parse(JSON.parse(process.argv[2] ?? ''));
const body = Buffer.from('{"data":{"id":"ba"}}');

const answered: Answered[] = [];
const mostNoted = 100_000;

const server = createServer((message, reply) => {
  const arrivedAt = performance.now();
  const takesMs = modelLatencyMs(model, performance.timeOrigin + arrivedAt);
  message.resume();
  setTimeout(() => {
    if (answered.length < mostNoted)
      answered.push({ modelMs: takesMs, lateMs: performance.now() - arrivedAt - takesMs });
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    reply.end(body);
  }, takesMs);
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('message', () => process.send?.(answered.splice(0)));
process.once('disconnect', () => {
  server.close();
  server.closeAllConnections();
});
