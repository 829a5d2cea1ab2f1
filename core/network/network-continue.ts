import type { Socket } from 'node:net';

const empty = Buffer.alloc(0);
const openings = ['HTTP/1.1 100', 'HTTP/1.0 100'] as const;

/** What is held back at most; beyond it the parser has its say, which is that the headers are too large. */
const maxHeldBytes = 64 * 1024;

/**
 * Takes `100 Continue` answers out of what arrives on a socket: a server may send them unasked (RFC 9110 section
 * 15.2.1), and undici ends the connection over one. Returns what to call before each request; from there on the
 * beginning of the answer is looked at.
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

/** Whether more bytes are needed to tell what this is, or where it ends. */
function isUndecided(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 13);
  return isContinue(bytes) || (head.length < 13 && openings.some((opening) => opening.startsWith(head.slice(0, 12))));
}

function isContinue(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 100[ \r]/.test(bytes.toString('latin1', 0, 13));
}
