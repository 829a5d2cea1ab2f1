import { createChanges } from '../../load/measure/changed-slices.ts';
import type { ProgressReport } from '../../load/measure/report-progress.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { LivePage } from '../live/open-live-page.ts';
import { liveFigures } from './live-figures.ts';
import { timeText } from './live-view.ts';

/** Shows loads on a live page. `name` identifies one of several runs. */
export type LoadsShown = {
  /** Whether it shows the times in the records of runs in progress, which take the threads of a load long to build. */
  readonly isWatched: () => boolean;
  readonly progress: (report: ProgressReport, name: string) => void;
  readonly over: (record: LoadRecord, name: string) => void;
};

export function showLoads(page: LivePage): LoadsShown {
  const changesOf = createChanges();
  return {
    isWatched: page.isWatched,
    progress(report, name) {
      if (!page.isWatched()) return;
      const { elapsedMs } = report;
      const { record, changed } = changesOf(report);
      const trial = record.capacity === undefined ? '' : `trial ${record.capacity.trials.length + 1}: `;
      page.show({
        kind: 'load',
        record,
        changed,
        live: { elapsedMs, figures: liveFigures(report) },
        clock: `${name}${trial}${elapsedMs < 0 ? 'warm-up' : timeText(report)}`,
      });
    },
    over(record, name) {
      if (!page.isWatched()) return;
      const all = record.slices.map((_, index) => index);
      page.show({ kind: 'load', record, changed: all, live: undefined, clock: name });
    },
  };
}
