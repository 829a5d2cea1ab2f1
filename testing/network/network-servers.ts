/** Servers and senders for the tests of the network, each ended with its test. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../core/http.ts';
import type { Route } from '../../core/target.ts';
import { networkDeployment } from '../../core/network/network.ts';
import { portOf } from './port-of.ts';

/** Listens on a free port of this machine until the test ends. */
export async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${portOf(server)}`;
}

export const serve = (listener: RequestListener): Promise<string> => listen(createServer(listener));

/** A server that says these bytes to whatever is asked, and then does `after`. */
export function speak(answer: string | Uint8Array, after: (socket: Socket) => void = () => {}): Promise<string> {
  return listen(createSocketServer((socket) => socket.on('data', () => socket.write(answer, () => after(socket)))));
}

export function connect(
  route: string | Route,
  options?: { readonly maxBodyBytes?: number },
): (request?: Partial<HttpRequest>) => Promise<HttpResponse> {
  const { deployment, close } = networkDeployment(typeof route === 'string' ? { baseUrl: route } : route, options);
  onTestFinished(close);
  return (request: Partial<HttpRequest> = {}) =>
    deployment({ method: 'GET', path: '/', headers: {}, timeoutMs: 10_000, ...request });
}

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
export const ok = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
export const failing = (failure: string, message = /./) =>
  expect.objectContaining({ name: 'TransportError', failure, message: expect.stringMatching(message) });
