import { createServer, type Socket } from 'node:net';
import { z } from 'zod';
import { normal, quietBuild, slower } from '../../testing/simulated/trials.ts';
import { seededRandom } from '../../reference/random.ts';
import { sampleBodies } from '../../schemas/sample-bodies.ts';
import { mark, modelsPage } from './models-page.ts';
import { heldMs, modes, queue } from './start-raw-server.ts';

/**
 * The fastest server that Node allows: it answers every request with the same page of models, without reading the request.
 * Other modes make every answer different, queue requests, take as long as one of two builds, or hold POST requests. It records when requests
 * arrive. It runs in its own process and sends its port to the parent process.
 */
const mode = z.enum(modes).parse(process.argv[2]);
/** As many headers as an answer through a proxy usually has: a client spends much of its time on parsing them. */
const answerOf = (status: string, body: string) =>
  [
    `HTTP/1.1 ${status}`,
    'Server: nginx',
    'Date: Sat, 21 Nov 2026 06:00:00 GMT',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: keep-alive',
    'Vary: Accept-Encoding',
    'Cache-Control: no-store',
    'X-Request-Id: 3f0d2c1a-8c1e-4c55-9a5f-2f1a0b9c7d6e',
    'Strict-Transport-Security: max-age=31536000; includeSubDomains',
    `\r\n${body}`,
  ].join('\r\n');
const answer = Buffer.from(answerOf('200 OK', modelsPage));
const messages = {
  chat: sampleBodies.chat(),
  userMessage: sampleBodies.message(),
  assistantMessage: sampleBodies.message(),
};
const accepted = Buffer.from(answerOf('202 Accepted', JSON.stringify({ data: messages })));
const markAt = answer.indexOf(mark);
const arrivals: number[] = [];
const maxArrivals = 1_000_000;
let count = 0;

/** When each server of the queue is free again. */
const freeAt = Array.from({ length: queue.servers }, () => 0);

/** How long a request has to wait for its turn and its service. */
function waitMs(now: number): number {
  const server = freeAt.indexOf(Math.min(...freeAt));
  const doneAt = Math.max(now, freeAt[server] ?? now) + queue.serviceMs;
  freeAt[server] = doneAt;
  return doneAt - now;
}

const builds = { usual: quietBuild, slower: slower(quietBuild, 1.15, 1.2) };
/** Slower than the simulated ones, because timers know only whole milliseconds. */
const buildFactor = 4;
const { next: random } = seededRandom(1, mode);

/** How long a build takes for an answer. Timers drop fractions of a millisecond, so these are rounded at random. */
function takesMs(build: keyof typeof builds): number {
  const { medianUs, logSpread } = builds[build];
  return Math.floor((buildFactor * medianUs * Math.exp(logSpread * normal(random))) / 1000 + random());
}

function reply(socket: Socket, now: number, isPost: boolean): void {
  if (mode === 'hold' && isPost) setTimeout(() => socket.write(accepted), heldMs);
  else if (mode === 'queue') setTimeout(() => socket.write(answer), waitMs(now));
  else if (mode === 'usual' || mode === 'slower') setTimeout(() => socket.write(answer), takesMs(mode));
  else socket.write(nextAnswer());
}

function nextAnswer(): Buffer {
  count += 1;
  if (mode === 'same') return answer;
  const distinct = Buffer.from(answer);
  distinct.write(count.toString(36).padStart(mark.length, '0'), markAt);
  return distinct;
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    const now = performance.timeOrigin + performance.now();
    const isPost = bytes.toString('latin1', 0, 4) === 'POST';
    for (let at = bytes.indexOf('\r\n\r\n'); at >= 0; at = bytes.indexOf('\r\n\r\n', at + 4)) {
      if (arrivals.length < maxArrivals) arrivals.push(now);
      reply(socket, now, isPost);
    }
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send?.(server.address()));
process.on('message', () => process.send?.(arrivals.splice(0)));
process.once('disconnect', () => process.exit());
