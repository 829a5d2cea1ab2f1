/**
 * Collects bytes in one buffer that grows by doubling. A list of chunks would cost a hundred bytes for each single byte that
 * a hostile target sends.
 */
export function byteSink(): { readonly write: (chunk: Uint8Array) => void; readonly bytes: () => Uint8Array } {
  let buffer = new Uint8Array(4096);
  let length = 0;

  function write(chunk: Uint8Array): void {
    const needed = length + chunk.length;
    if (needed > buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * buffer.length));
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(chunk, length);
    length = needed;
  }

  return { write, bytes: () => buffer.slice(0, length) };
}
