import type { Measurement, Slice } from '../../load/measure/measurement.ts';
import type { ProgressReport } from '../../load/measure/report-progress.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { LivePage } from '../live/open-live-page.ts';
import { liveFigures } from './live-figures.ts';
import { timeText } from './live-view.ts';

/** Shows loads on a live page. `name` says which of several runs it is. */
export type LoadsShown = {
  readonly progress: (report: ProgressReport, name: string) => void;
  readonly over: (record: LoadRecord, name: string) => void;
};

export function showLoads(page: LivePage): LoadsShown {
  const changed = createChanges();
  return {
    progress(report, name) {
      if (!page.isWatched()) return;
      const { elapsedMs, measurement, recordOf } = report;
      const slices = changed(measurement);
      const record = recordOf(slices.map(({ slice }) => slice));
      const trial = record.capacity === undefined ? '' : `trial ${record.capacity.trials.length + 1}: `;
      page.show({
        kind: 'load',
        record,
        changed: slices.map(({ index }) => index),
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

/** The slices of a measurement in which something happened since the last call. */
function createChanges() {
  let last: Measurement | undefined;
  let seen: number[] = [];
  return (measurement: Measurement): readonly { readonly index: number; readonly slice: Slice }[] => {
    if (measurement !== last) seen = [];
    last = measurement;
    return measurement.slices.flatMap((slice, index) => {
      const events = eventsIn(slice);
      if (seen[index] === events) return [];
      seen[index] = events;
      return [{ index, slice }];
    });
  };
}

function eventsIn({ scheduled, classes }: Slice): number {
  return [...classes.values()].reduce((sum, count) => sum + count, scheduled);
}
