import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  JsHistogram,
} from 'hdr-histogram-js';
import type { LatencyCounts } from './trial.ts';

/** What an HDR histogram of microseconds counted, at the histogram's own resolution. */
export function latencyCounts(histogram: Histogram): LatencyCounts {
  const readable = inJavaScript(histogram);
  const latenciesUs: number[] = [];
  const counts: number[] = [];
  for (let index = 0; index < readable.countsArrayLength; index += 1) {
    const count = readable.getCountAtIndex(index);
    if (count === 0) continue;
    latenciesUs.push(readable.highestEquivalentValue(readable.valueFromIndex(index)));
    counts.push(count);
  }
  return { latenciesUs, counts };
}

/** Latencies in microseconds, in any order, counted to three significant digits. */
export function countLatencies(latenciesUs: Iterable<number>): LatencyCounts {
  const histogram = build({ numberOfSignificantValueDigits: 3 });
  for (const latencyUs of latenciesUs) histogram.recordValue(Math.max(1, Math.round(latencyUs)));
  return latencyCounts(histogram);
}

/** The counts of a histogram in WebAssembly cannot be read one by one, those of its copy in JavaScript can. */
function inJavaScript(histogram: Histogram): JsHistogram {
  if (histogram instanceof JsHistogram) return histogram;
  const copy = decodeFromCompressedBase64(encodeIntoCompressedBase64(histogram));
  if (copy instanceof JsHistogram) return copy;
  throw new TypeError('hdr-histogram-js decoded a histogram into something else than a JsHistogram.');
}
