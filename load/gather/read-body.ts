import type { IncomingMessage } from 'node:http';

/** Reads a JSON body. Undefined if it is longer than `mostBytes`, is cut off, or is not JSON. */
export async function readJsonBody(request: IncomingMessage, mostBytes: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request) {
      if (!Buffer.isBuffer(part)) return undefined;
      bytes += part.length;
      if (bytes > mostBytes) return undefined;
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}
