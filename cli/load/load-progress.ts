import type { LoadProgress } from '../../load/measure/report-progress.ts';
import { liveBlock, liveLine } from './live-view.ts';

/** Without a terminal, one of this many reports is printed as a line. */
const plainEvery = 5;
const usualColumns = 80;

export type ProgressStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

/** Shows the progress of a load run: on a terminal as a block that is overwritten, elsewhere as a line every few seconds. */
export function showLoadProgress(
  stream: ProgressStream,
  name: string,
): { readonly report: (progress: LoadProgress) => void; readonly end: () => void } {
  let reports = 0;
  let shownLines = 0;

  function clear(): void {
    if (shownLines > 0) stream.write(`\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(shownLines - 1)}`);
    shownLines = 0;
  }

  function report(progress: LoadProgress): void {
    reports += 1;
    if (stream.isTTY !== true) {
      if (reports % plainEvery === 0) stream.write(`${liveLine(progress)}\n`);
      return;
    }
    // Lines must not wrap: clearing the block counts one row per line.
    const most = Math.max(1, (stream.columns ?? usualColumns) - 1);
    const lines = liveBlock(name, progress).map((line) => line.slice(0, most));
    clear();
    stream.write(lines.join('\n'));
    shownLines = lines.length;
  }

  return { report, end: clear };
}
