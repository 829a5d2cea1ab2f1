import { sum } from '../../../core/numbers.ts';
import type { Fact } from '../../../reports/load/load-record.ts';
import { count, some } from '../../../reports/text/figures.ts';

export const fairnessName = 'fairness';

/** A target that favours no writer must reach this index in 95 of 100 runs; with fewer messages, the index says little. */
const leastEvenIndex = 0.8;

/** How evenly the accepted messages are divided among the writers, and what chance alone makes of it. */
export function fairnessFact(accepted: readonly number[]): Fact {
  const writers = accepted.length;
  const messages = sum(accepted);
  const range = `${Math.min(...accepted)} to ${Math.max(...accepted)} for each of ${writers} writers`;
  const least = leastMessages(writers);
  if (messages < least) {
    const value = `too few messages: ${some(messages, 'message was', 'messages were')} answered within the measured time, ${count(least)} are needed; ${range}`;
    return { name: fairnessName, value };
  }
  const fairness = jainIndex(accepted).toFixed(2);
  const even = evenIndex(writers, messages).toFixed(2);
  const value = `${fairness} of 1 (Jain), ${range}, answered within the measured time; a target that prefers no writer reaches ${even} or more in 95 of 100 runs`;
  return { name: fairnessName, value, figure: { text: fairness, unit: 'of 1' } };
}

/** Jain's index: 1 when all get the same, 1/n when one gets all. */
export function jainIndex(shares: readonly number[]): number {
  const squares = sum(shares.map((share) => share ** 2));
  return squares === 0 ? 1 : sum(shares) ** 2 / (shares.length * squares);
}

/**
 * The index that a target reaches in 95 of 100 runs if each message is equally likely to be that of any writer. Then the index is
 * 1 / (1 + χ² / messages), and χ² has one degree of freedom less than there are writers.
 */
export function evenIndex(writers: number, messages: number): number {
  return 1 / (1 + chiSquare95(writers - 1) / messages);
}

/** The fewest messages of which a target that favours no writer is nearly always divided evenly enough. */
export function leastMessages(writers: number): number {
  return Math.max(1, Math.ceil(chiSquare95(writers - 1) / (1 / leastEvenIndex - 1)));
}

/** The value that χ² exceeds in 5 of 100 cases, by the approximation of Wilson and Hilferty. */
function chiSquare95(freedom: number): number {
  if (freedom === 0) return 0;
  const normal95 = 1.645;
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + normal95 * Math.sqrt(spread)) ** 3;
}
