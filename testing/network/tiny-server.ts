import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { portOf } from './port-of.ts';

export type TinyServer = {
  readonly url: string;
  /** Paths of the requests so far, in order. */
  readonly paths: readonly string[];
  /** Connections that were ever made. */
  readonly connections: () => number;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** A server of a test, on a free port of loopback. */
export async function tinyServer(
  answer: (message: IncomingMessage, reply: ServerResponse, ordinal: number) => void,
): Promise<TinyServer> {
  const paths: string[] = [];
  let connections = 0;
  const server = createServer((message, reply) => {
    paths.push(message.url ?? '');
    message.resume();
    message.on('end', () => answer(message, reply, paths.length));
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    paths,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with JSON. */
export function json(reply: ServerResponse, status: number, body: unknown): void {
  reply.writeHead(status, { 'content-type': 'application/json' });
  reply.end(JSON.stringify(body));
}
