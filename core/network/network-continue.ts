import type { Socket } from 'node:net';

const empty = Buffer.alloc(0);
const openings = ['HTTP/1.1 100', 'HTTP/1.0 100'] as const;

/** At most this much is held back. Beyond it, the parser reports that the headers are too large. */
const maxHeldBytes = 64 * 1024;

/**
 * Removes `100 Continue` answers from the bytes of a socket. A server may send them unasked (RFC 9110 section 15.2.1), and
 * undici closes the connection on one. Call the returned function before each request.
 */
export function skipContinues(socket: Socket): () => void {
  let held: Buffer | undefined; // bytes that may yet turn out to be a 100; undefined when the final answer has begun
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (held === undefined) return push(chunk, encoding);
    if (chunk instanceof Uint8Array) {
      held = withoutContinues(Buffer.concat([held, chunk]));
      if (held.length < maxHeldBytes && isUndecided(held)) return true;
    }
    const known = held;
    held = undefined;
    if (chunk instanceof Uint8Array) return push(known);
    if (known.length > 0) push(known);
    return push(chunk, encoding);
  };
  return () => {
    held = empty;
  };
}

function withoutContinues(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isContinue(rest)) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

/** Whether more bytes are needed to decide. */
function isUndecided(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 13);
  return isContinue(bytes) || (head.length < 13 && openings.some((opening) => opening.startsWith(head.slice(0, 12))));
}

function isContinue(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 100[ \r]/.test(bytes.toString('latin1', 0, 13));
}
