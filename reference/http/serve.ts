import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Deployment, HeaderNames, HttpRequest, HttpResponse } from '../../core/http.ts';
import { BrokenAnswer, type WireBreak, type WireForm } from './wire-form.ts';

/** The largest request body: enough for every legal message, even if all characters are escaped. */
const bodyMostBytes = 4_000_000;

function methodOf(name: string | undefined): HttpRequest['method'] | undefined {
  return name === 'GET' || name === 'POST' || name === 'DELETE' ? name : undefined;
}

function errorAnswer(status: number, title: string, detail: string): HttpResponse {
  const body = Buffer.from(JSON.stringify({ error: { title, detail } }));
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body };
}

/** The complete body, and the number of pieces in which it arrived; undefined if it is too large. */
async function readBody(message: IncomingMessage): Promise<{ body: Uint8Array; pieces: number } | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes <= bodyMostBytes) pieces.push(piece);
  }
  return bytes <= bodyMostBytes ? { body: Buffer.concat(pieces), pieces: pieces.length } : undefined;
}

async function readRequest(message: IncomingMessage, left: AbortSignal): Promise<HttpRequest | HttpResponse> {
  const read = await readBody(message);
  if (read === undefined) return errorAnswer(413, 'ContentTooLarge', 'The body is too large.');
  const method = methodOf(message.method);
  if (method === undefined) return errorAnswer(405, 'MethodNotAllowed', 'There is no such operation.');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  const path = message.url ?? '/';
  const headerNames = namesIn(message.rawHeaders);
  return {
    method,
    path,
    headers,
    headerNames,
    ...(message.headers['transfer-encoding'] === 'chunked' ? { chunks: read.pieces } : {}),
    ...(read.body.length > 0 ? { body: read.body } : {}),
    timeoutMs: Number.POSITIVE_INFINITY,
    left,
  };
}

function namesIn(raw: readonly string[]): HeaderNames | undefined {
  if (raw.includes('AUTHORIZATION')) return 'capitals';
  return raw.includes('authorization') ? 'lower case' : undefined;
}

function formOf(response: HttpResponse): WireForm {
  const form = 'form' in response ? response.form : undefined;
  return form === 'chunked' || form === 'gzip' || form === 'close' ? form : 'plain';
}

function write(reply: ServerResponse, response: HttpResponse): void {
  const { status, headers, body } = response;
  switch (formOf(response)) {
    case 'plain':
    case 'close':
      reply.writeHead(status, { ...headers, ...(status === 204 ? {} : { 'content-length': body.length }) });
      reply.end(body);
      return;
    case 'gzip': {
      const packed = gzipSync(body);
      reply.writeHead(status, { ...headers, 'content-length': packed.length });
      reply.end(packed);
      return;
    }
    case 'chunked':
      reply.writeHead(status, { ...headers });
      // Two pieces, so that a character may be split between them.
      reply.write(body.subarray(0, Math.ceil(body.length / 2)));
      reply.end(body.subarray(Math.ceil(body.length / 2)));
  }
}

function breakOff(reply: ServerResponse, how: WireBreak, { status, headers, body }: HttpResponse): void {
  const { socket } = reply;
  switch (how) {
    case 'hang':
      return;
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'not-http':
      socket?.end('<h1>Something went wrong</h1>\r\n\r\n');
      return;
    case 'not-gzip':
      reply.writeHead(status, { ...headers, 'content-encoding': 'gzip', 'content-length': body.length });
      reply.end(body);
      return;
    case 'cut-body':
    case 'long-length': {
      const sent = how === 'cut-body' ? body.subarray(0, Math.floor(body.length / 2)) : body;
      const promised = how === 'cut-body' ? body.length : body.length + 16;
      reply.writeHead(status, { ...headers, connection: 'close', 'content-length': promised });
      reply.write(sent, () => socket?.end());
    }
  }
}

async function answer(deployment: Deployment, message: IncomingMessage, reply: ServerResponse): Promise<void> {
  const client = new AbortController();
  reply.once('close', () => client.abort());
  const request = await readRequest(message, client.signal);
  if ('status' in request) {
    write(reply, request);
    return;
  }
  try {
    write(reply, await deployment(request));
  } catch (error) {
    if (error instanceof BrokenAnswer) breakOff(reply, error.how, error.response);
    else write(reply, errorAnswer(500, 'InternalError', 'Something went wrong.'));
  }
}

/** Serves a deployment on a port; port 0 uses a free one. Closing also ends open connections. */
export async function serve(
  deployment: Deployment,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((message, reply) => {
    answer(deployment, message, reply).catch(() => reply.destroy());
  });
  // Longer than any client keeps an idle connection, so that no client uses a connection that was just closed.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
