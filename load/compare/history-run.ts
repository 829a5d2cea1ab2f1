import type { LoadRecord } from '../../reports/load/load-record.ts';
import { figures } from './render/figure.ts';
import { type HistoryRun, loadHistoryFormat } from './history.ts';
import { figuresOfTrial, trialOfRecord } from './trial-of-record.ts';

const longestName = 80;
const digestDigits = 8;

/**
 * Identifies runs that are comparable over time: the same target, exactly the same profile, and the same number of rounds,
 * because the mean of several rounds varies less than one.
 */
export function seriesOf(records: readonly LoadRecord[]): string {
  const [first] = records;
  if (first === undefined) return 'nothing';
  const { target, profile } = first;
  const digest = profile.digest.replace(/^sha256:/, '').slice(0, digestDigits);
  const rounds = records.length === 1 ? '' : ` ×${records.length}`;
  return `${target.name.slice(0, longestName)} ${profile.name.slice(0, longestName)} ${digest}${rounds}`;
}

/** The runs of a build as one line of a history, or the reason why they are not added. */
export function historyRunOf(
  records: readonly LoadRecord[],
  build: string,
): { readonly run: HistoryRun } | { readonly reason: string } {
  const [first] = records;
  if (first === undefined) return { reason: 'there was no run' };
  for (const { result, generator } of records) {
    if (result === 'interrupted' || result === 'aborted') return { reason: `a run was ${result}` };
    if (generator.verdict === 'bottleneck') return { reason: 'the generator was the bottleneck' };
  }
  const found = figuresOfTrial({ blocks: records.flatMap((record) => trialOfRecord(record).blocks) });
  if (figures.some((figure) => !(found[figure] > 0))) return { reason: 'there was no answer' };
  return { run: { format: loadHistoryFormat, series: seriesOf(records), build, at: first.startedAt, figures: found } };
}
