import { inflateSync } from 'node:zlib';
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';

/** Counts of times in microseconds, each to three significant digits. Two of them add up exactly. */
export type TimeHistogram = Histogram;

/** Longer times are counted as this one: 35 minutes, the longest that fits in 31 bits. */
const mostUs = 0x7fff_ffff;

export function createHistogram(): TimeHistogram {
  return build({
    bitBucketSize: 32,
    autoResize: true,
    highestTrackableValue: 2 ** 16,
    numberOfSignificantValueDigits: 3,
  });
}

/** A time in the whole microseconds that a histogram takes. */
export function wholeUs(ms: number): number {
  return Math.min(mostUs, Math.max(0, Math.round(ms * 1000)));
}

/** HdrHistogram's own compressed form, which its implementations in other languages read. */
export function encodeHistogram(histogram: TimeHistogram): string {
  return encodeIntoCompressedBase64(histogram);
}

/** The most bytes of a histogram of this kind: a few for each of its counts. */
const mostBytes = 256 * 1024;

/** The header before the compressed bytes, and the one within them, in the V2 format of HdrHistogram. */
const outerBytes = 8;
const innerBytes = 40;

/** The longest time that histograms of this kind can grow to. */
const mostTrackable = 2 ** 32;

/** Throws when the text, which may be hostile, is no histogram of this kind. */
export function decodeHistogram(text: string): TimeHistogram {
  const bytes = Buffer.from(text, 'base64');
  const inner = inflateSync(bytes.subarray(outerBytes), { maxOutputLength: mostBytes });
  const digits = inner.readInt32BE(12);
  const [lowest, highest] = [inner.readBigInt64BE(16), inner.readBigInt64BE(24)];
  const payload = inner.readInt32BE(4);
  if (digits !== 3 || lowest !== 1n || highest > mostTrackable || payload !== inner.length - innerBytes) {
    throw new RangeError('this is no histogram of microseconds to three digits');
  }
  return decodeFromCompressedBase64(text, 32);
}

/** All of them in a new one. */
export function mergeHistograms(histograms: Iterable<TimeHistogram>): TimeHistogram {
  const merged = createHistogram();
  for (const histogram of histograms) merged.add(histogram);
  return merged;
}

/** What was counted since an earlier state of the same counts, in a new one. */
export function histogramSince(now: TimeHistogram, before: TimeHistogram): TimeHistogram {
  const since = mergeHistograms([now]);
  since.subtract(before);
  return since;
}

/** The smallest time that shares a bucket with this one in a histogram of three digits; both in microseconds. */
export function bucketOf(us: number): number {
  const shift = Math.max(0, 21 - Math.clz32(us));
  return (us >>> shift) << shift;
}
