import { decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram, JsHistogram } from 'hdr-histogram-js';
import { bucketOf } from '../measure/histogram.ts';
import type { LatencyCounts } from './trial.ts';

/** Latencies in microseconds, in any order, counted to three significant digits. */
export function countLatencies(latenciesUs: Iterable<number>): LatencyCounts {
  const buckets = new Map<number, number>();
  for (const latencyUs of latenciesUs) {
    const bucket = bucketOf(Math.round(latencyUs));
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  }
  return countBuckets(buckets);
}

/** Counts by latency in microseconds, from several tables in one. */
export function countBuckets(...tables: readonly ReadonlyMap<number, number>[]): LatencyCounts {
  const sums = new Map<number, number>();
  for (const table of tables) for (const [us, count] of table) sums.set(us, (sums.get(us) ?? 0) + count);
  const ascending = [...sums].sort(([us], [otherUs]) => us - otherUs);
  return { latenciesUs: ascending.map(([us]) => us), counts: ascending.map(([, count]) => count) };
}

/** What an HDR histogram of microseconds counted, at the histogram's own resolution. */
export function countHistogram(histogram: Histogram): LatencyCounts {
  const readable = inJavaScript(histogram);
  const latenciesUs: number[] = [];
  const counts: number[] = [];
  for (let index = 0; index < readable.countsArrayLength; index += 1) {
    const count = readable.getCountAtIndex(index);
    if (count === 0) continue;
    latenciesUs.push(readable.valueFromIndex(index));
    counts.push(count);
  }
  return { latenciesUs, counts };
}

/** The counts of a histogram in WebAssembly cannot be read one by one, those of its copy in JavaScript can. */
function inJavaScript(histogram: Histogram): JsHistogram {
  if (histogram instanceof JsHistogram) return histogram;
  const copy = decodeFromCompressedBase64(encodeIntoCompressedBase64(histogram));
  if (copy instanceof JsHistogram) return copy;
  throw new TypeError('hdr-histogram-js decoded a histogram into something else than a JsHistogram.');
}
