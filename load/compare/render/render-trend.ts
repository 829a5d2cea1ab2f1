import { shown } from '../../../core/text.ts';
import type { HistoryRun } from '../history.ts';
import { tabulate } from './tabulate.ts';
import { fewestRuns, type FigureTrend } from '../trend.ts';
import { seenLoss } from './sentence.ts';
import { change, percent, range, value } from './words.ts';

/** The trend of a series of runs as lines for a terminal: a table, and a sentence for each figure. */
export function renderTrend(trends: readonly FigureTrend[], runs: readonly HistoryRun[]): readonly string[] {
  const rows = trends.map(({ figure, latest, runToRun, movement, direction }) => [
    figure,
    value(figure, latest),
    runToRun === undefined ? '?' : percent(runToRun.log),
    movement.kind === 'too-few' ? 'cannot tell' : direction === 'none' ? 'no trend' : direction,
  ]);
  return [
    `${runs.length} ${runs.length === 1 ? 'run' : 'runs'} of ${shown(runs.at(-1)?.series ?? 'no series')}.`,
    '',
    ...tabulate([['', 'latest', 'run to run', 'trend'], ...rows]),
    '',
    // If there are too few runs, every figure has the same sentence.
    ...new Set(trends.map((each) => trendSentence(each, runs))),
  ];
}

/** The trend of one figure with its evidence. */
export function trendSentence(
  { figure, movement, direction, runToRun }: FigureTrend,
  runs: readonly HistoryRun[],
): string {
  switch (movement.kind) {
    case 'step':
      return (
        `${figure} became ${direction} with ${name(runs[movement.at])}: ${change(movement.ratio)} ` +
        `(${range(movement)} with 95% confidence).`
      );
    case 'drift':
      return `${figure} is getting ${direction}: ${change(movement.ratioPerRun)} a run, ${change(movement.ratio)} so far.`;
    case 'steady': {
      const varies = runToRun === undefined ? '' : `it varies by ${percent(runToRun.log)} from run to run, and `;
      const seen = percent(seenLoss(figure, movement.detectable));
      return `${figure} shows no trend: ${varies}a step of ${seen} would have shown within five runs.`;
    }
    case 'too-few':
      return `It takes ${fewestRuns} runs to see a trend.`;
  }
}

function name(run: HistoryRun | undefined): string {
  return run === undefined ? 'an unknown run' : `${shown(run.build) || 'a build without a name'} (${run.at})`;
}
