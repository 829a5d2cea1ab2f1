import type { LoadOperation } from '../profile/mix.ts';
import type { Threshold } from '../profile/threshold.ts';

/** Sentences about what a script for another engine leaves out, which in silence would read as sent and as held. */
export function untold(missing: readonly LoadOperation[], unjudged: readonly Threshold[]): readonly string[] {
  return [
    ...missing.map((operation) => `Not sent: ${operation}, for which the target file declares nothing.`),
    ...unjudged.map(({ text }) => `Not judged here: ${text}`),
  ];
}
