import { count, percent } from '../../reports/text/figures.ts';
import { countOf, type MeasuredOperation } from './measured.ts';

/** With more 429s than this, the figures no longer describe the service under the load of the profile. */
const mostShare = 0.05;

/** How many requests were refused by the rate limit, for the sentence of a load; undefined if none was. */
export function rateLimitedText(operations: Iterable<MeasuredOperation>): string | undefined {
  const { limited, ended, share } = rateLimitedOf([...operations]);
  if (limited === 0) return undefined;
  return `429 for ${count(limited)} of ${count(ended)} requests (${percent(share, share < 0.1 ? 1 : 0)})`;
}

/** What a reader must know about the figures of a load that the rate limit refused in part. */
export function rateLimitedNotes(operations: Iterable<MeasuredOperation>): readonly string[] {
  const { share } = rateLimitedOf([...operations]);
  if (share <= mostShare) return [];
  return [
    `${percent(share)} of the requests were refused with 429: these figures describe the rate limiter, not the service. Send less, or raise the quota of these keys.`,
  ];
}

function rateLimitedOf(operations: readonly MeasuredOperation[]) {
  const limited = countOf(operations, (kind) => kind === 'rateLimited');
  const ended = countOf(operations, () => true);
  return { limited, ended, share: limited / Math.max(1, ended) };
}
