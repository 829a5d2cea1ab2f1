import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';

/** Counts of times in microseconds, each to three significant digits. Two of them add up exactly. */
export type TimeHistogram = Histogram;

/** Times beyond it are counted as it: 35 minutes, the last that fits 31 bits. */
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

/** HdrHistogram's own compressed form, which its tools in any language read. */
export function encodeHistogram(histogram: TimeHistogram): string {
  return encodeIntoCompressedBase64(histogram);
}

/** Throws when the text is no histogram. */
export function decodeHistogram(text: string): TimeHistogram {
  return decodeFromCompressedBase64(text, 32);
}

/** All of them in one; none of them is changed. */
export function mergeHistograms(histograms: Iterable<TimeHistogram>): TimeHistogram {
  const merged = createHistogram();
  for (const histogram of histograms) merged.add(histogram);
  return merged;
}

/** The smallest time that a histogram of three digits cannot tell from this one; both in microseconds. */
export function bucketOf(us: number): number {
  const shift = Math.max(0, 21 - Math.clz32(us));
  return (us >>> shift) << shift;
}
