import type { LoadProgress } from '../../load/measure/report-progress.ts';
import { liveBlock, liveLine } from './live-view.ts';

/** Where there is no terminal to write over, a line every so many reports. */
const plainEvery = 5;
const usualColumns = 80;

export type ProgressStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

/** Shows a load run while it goes on: on a terminal a block that is written over, elsewhere a line every few seconds. */
export function showLoadProgress(
  stream: ProgressStream,
  name: string,
): { readonly tell: (progress: LoadProgress) => void; readonly end: () => void } {
  let told = 0;
  let shownLines = 0;

  function clear(): void {
    if (shownLines > 0) stream.write(`\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(shownLines - 1)}`);
    shownLines = 0;
  }

  function tell(progress: LoadProgress): void {
    told += 1;
    if (stream.isTTY !== true) {
      if (told % plainEvery === 0) stream.write(`${liveLine(progress)}\n`);
      return;
    }
    // A line that the terminal broke in two would be a line too few to go up over.
    const most = Math.max(1, (stream.columns ?? usualColumns) - 1);
    const lines = liveBlock(name, progress).map((line) => line.slice(0, most));
    clear();
    stream.write(lines.join('\n'));
    shownLines = lines.length;
  }

  return { tell, end: clear };
}
