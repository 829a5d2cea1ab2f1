import { shown } from '../../core/text.ts';
import { areaName, areasOf } from '../../reports/record/areas.ts';
import { countStatuses, statusOf } from '../../reports/record/check-status.ts';
import type { CheckRecord } from '../../reports/record/record.ts';
import type { Output } from '../shared/context.ts';
import type { Forecast } from './forecast.ts';
import { spokenDuration } from '../shared/spoken-duration.ts';

/** The most failures to show during the run; the report has all of them. */
const maxShown = 20;

export type Progress = {
  readonly onCheck: (check: CheckRecord) => void;
  /** Clears the progress line before the report. */
  readonly end: () => void;
};

/** Less than this share of a run shows nothing about its pace. */
const leastShare = 0.05;

/** Elsewhere than on a terminal, no line for this long hides that the run takes longer than it was said to, in milliseconds. */
const quietMs = 60_000;

/**
 * Shows the progress of a run. On a terminal: one line that is overwritten, and the failures above it. Elsewhere: a line for
 * each finished area and each failure, and one after each minute without another. With a forecast, it also shows the time so far and the time that the whole run takes
 * at its pace so far. `now` is in milliseconds.
 */
export function showProgress(
  stream: Output,
  checks: readonly Pick<CheckRecord, 'id'>[],
  expected?: Pick<Forecast, 'durationMs' | 'endsMs'>,
  now: () => number = () => performance.now(),
): Progress {
  const startedAt = now();
  const left = new Map([...Map.groupBy(checks, ({ id }) => areaName(id))].map(([area, own]) => [area, own.length]));
  const done: CheckRecord[] = [];
  let failures = 0;
  let writtenAt = startedAt;

  const clear = () => void (stream.isTTY && stream.write('\r\u001b[2K'));

  function onCheck(check: CheckRecord): void {
    done.push(check);
    const area = areaName(check.id);
    const leftThere = (left.get(area) ?? 0) - 1;
    left.set(area, leftThere);
    clear();
    const status = statusOf(check);
    if (status === 'failed' || status === 'errored') showFailure(check);
    if (stream.isTTY) stream.write(`${done.length}/${checks.length}${soFar()} ${shown(check.id, 60)}`);
    else if (leftThere === 0) writeLine(areaLine(area, done));
    else if (now() - writtenAt >= quietMs) writeLine(`${done.length} of ${checks.length} checks`);
  }

  function writeLine(text: string): void {
    stream.write(`${text}${soFar()}\n`);
    writtenAt = now();
  }

  /** Checks differ too much in duration for their number to show the progress. */
  function soFar(): string {
    if (expected === undefined) return '';
    const spentMs = now() - startedAt;
    return `, ${spokenDuration(spentMs)} of about ${spokenDuration(wholeMs(expected, done.length, spentMs))}`;
  }

  function showFailure({ verdict, title }: CheckRecord): void {
    failures += 1;
    if (failures <= maxShown) stream.write(`${verdict} ${shown(title, 150)}\n`);
    else if (failures === maxShown + 1) stream.write('further failures are in the report\n');
  }

  return { onCheck, end: clear };
}

/** Estimates the duration of the run from the time that `checks` took: the other checks are as much slower than expected as these were. */
function wholeMs(
  { durationMs, endsMs }: Pick<Forecast, 'durationMs' | 'endsMs'>,
  checks: number,
  spentMs: number,
): number {
  const expectedMs = endsMs[Math.min(checks, endsMs.length) - 1] ?? 0;
  if (expectedMs < leastShare * durationMs) return Math.max(durationMs, spentMs);
  return (spentMs * durationMs) / expectedMs;
}

function areaLine(area: string, done: readonly CheckRecord[]): string {
  const checks = areasOf(done).find(({ name }) => name === area)?.checks ?? [];
  const counts = Object.entries(countStatuses(checks)).filter(([, count]) => count > 0);
  return `${area}: ${counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`;
}
