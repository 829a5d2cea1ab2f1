import { createServer } from 'node:http';
import { lawLatencyMs, lawSchema } from './laws.ts';

/** A target of known law, in a process of its own: it says its port, and ends with whoever started it. */
const law = lawSchema.parse(JSON.parse(process.argv[2] ?? ''));
const body = Buffer.from('{"data":{"id":"ba"}}');

const server = createServer((message, reply) => {
  const takesMs = lawLatencyMs(law, performance.timeOrigin + performance.now());
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
