import type { Target } from '../../core/target.ts';
import { wholeLoad } from '../schedule/arrivals.ts';
import type { LoadOptions } from './run-load.ts';

/** A whole run that begins at once and that nobody watches or ends: for tests and benches. */
export function plainOptions(target: Target): LoadOptions {
  return {
    target,
    isEmbedded: false,
    seed: 1,
    shard: wholeLoad,
    startAt: undefined,
    signal: new AbortController().signal,
    onProgress: () => {},
  };
}
