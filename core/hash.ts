import { createHash } from 'node:crypto';

/** FNV-1a over UTF-16 units: the same text gives the same 32-bit number everywhere. `before` is the hash of the text before it. */
export function hash(text: string, before = 0x811c9dc5): number {
  let value = before;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** In hexadecimal. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
