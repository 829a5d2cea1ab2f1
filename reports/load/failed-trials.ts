import { rateFigure } from '../text/figures.ts';
import type { CapacityRecord } from './capacity-record.ts';

/** What failed in the trials at the lowest rate that did not pass, in a sentence; undefined if nothing did, or it is not known. */
export function failedTrials({ trials, result, thresholds }: CapacityRecord): string | undefined {
  const border = borderOf(thresholds ?? result);
  const own = trials.filter(({ ratePerSecond }) => ratePerSecond === border);
  const counts = new Map<string, number>();
  for (const reason of own.flatMap(({ failed = [] }) => failed)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  if (border === undefined || counts.size === 0) return undefined;
  const reasons = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${reason} (${count} of ${own.length} ${own.length === 1 ? 'trial' : 'trials'})`);
  return `Failed at ${rateFigure(border)}/s: ${reasons.join(', ')}.`;
}

function borderOf(result: CapacityRecord['result']): number | undefined {
  switch (result.kind) {
    case 'found':
      return result.brokeAtPerSecond;
    case 'below':
      return result.ratePerSecond;
    case 'unfinished':
      return result.failedPerSecond;
    case 'at-least':
    case 'unjudged':
      return undefined;
  }
}
