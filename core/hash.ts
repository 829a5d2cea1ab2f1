import { createHash, timingSafeEqual } from 'node:crypto';

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

/** Whether a text is the secret. The time that it takes reveals nothing about the secret. */
export function isSameSecret(text: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(text)), Buffer.from(sha256(secret)));
}
