import type { Progress } from './network-failure.ts';
import type { Transfer } from './transfers.ts';

/** The part of a body that needs no permission, in bytes. */
const freeBytes = 256 * 1024;

export type Receiving = { readonly progress: Progress; readonly maxBodyBytes: number; readonly transfer: Transfer };

/**
 * Collects a body in one buffer that grows by doubling. A list of chunks would cost a hundred bytes for each single byte that
 * a hostile target sends.
 */
export function receivedBody({ progress, maxBodyBytes, transfer }: Receiving) {
  let buffer = new Uint8Array(4096);
  let length = 0;
  let isLarge = false;

  function grow(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }

  return {
    /** Returns false if the body is too long. A large one pauses until it may arrive. */
    take(
      chunk: Uint8Array,
      headers: Readonly<Record<string, string>>,
      flow: { readonly pause: () => void; readonly resume: () => void },
    ): boolean {
      progress.bodyBytes += chunk.length;
      if (progress.bodyBytes > maxBodyBytes) return false;
      if (progress.bodyBytes > buffer.length) grow(Math.max(progress.bodyBytes, 2 * buffer.length));
      buffer.set(chunk, length);
      length = progress.bodyBytes;
      if (length <= freeBytes || isLarge) return true;
      isLarge = true;
      flow.pause();
      const announced = Number(headers['content-length'] ?? Number.NaN);
      const expected = announced <= maxBodyBytes ? announced : maxBodyBytes;
      void transfer.begin(expected).then(() => {
        if (expected > buffer.length) grow(expected); // what is to come then needs no copy
        flow.resume();
      });
      return true;
    },
    bytes: (): Uint8Array => (length === buffer.length ? buffer : buffer.slice(0, length)),
  };
}
