/**
 * Collects bytes in one buffer that grows by doubling. A list of chunks would cost a hundred bytes for each single byte that
 * a hostile target sends.
 */
export type ByteSink = {
  readonly write: (chunk: Uint8Array) => void;
  /** Makes room for so many bytes in all, which then need no copy. */
  readonly expect: (total: number) => void;
  readonly bytes: () => Uint8Array;
};

export function byteSink(): ByteSink {
  let buffer = new Uint8Array(4096);
  let length = 0;

  function grow(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }

  function write(chunk: Uint8Array): void {
    const needed = length + chunk.length;
    if (needed > buffer.length) grow(Math.max(needed, 2 * buffer.length));
    buffer.set(chunk, length);
    length = needed;
  }

  return {
    write,
    expect(total) {
      if (total > buffer.length) grow(total);
    },
    bytes: () => (length === buffer.length ? buffer : buffer.slice(0, length)),
  };
}
