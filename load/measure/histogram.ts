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

/** Throws when the text is no histogram. */
export function decodeHistogram(text: string): TimeHistogram {
  return decodeFromCompressedBase64(text, 32);
}

/** All of them in a new one. */
export function mergeHistograms(histograms: Iterable<TimeHistogram>): TimeHistogram {
  const merged = createHistogram();
  for (const histogram of histograms) merged.add(histogram);
  return merged;
}

/** The smallest time that shares a bucket with this one in a histogram of three digits; both in microseconds. */
export function bucketOf(us: number): number {
  const shift = Math.max(0, 21 - Math.clz32(us));
  return (us >>> shift) << shift;
}
