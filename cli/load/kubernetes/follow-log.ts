import type { Clock } from '../../../core/clock.ts';
import type { Kubectl } from './kubectl.ts';

type Means = {
  readonly kubectl: Kubectl;
  readonly clock: Clock;
  readonly isOver: () => boolean;
  /** The longest that one connection may last, in milliseconds. */
  readonly timeoutMs: number;
};

const retryMs = 2000;

/** Calls `onLine` with each line of a pod's log until the run is over. If the connection ends, it connects again and continues after the last line. */
export async function followLog(
  pod: string,
  onLine: (line: string) => void,
  { kubectl, clock, isOver, timeoutMs }: Means,
): Promise<void> {
  let done = 0;
  do {
    let count = 0;
    const onNext = (line: string) => {
      count += 1;
      if (count <= done) return;
      done = count;
      onLine(line);
    };
    await kubectl(['logs', '--follow', pod], { onLine: onNext, timeoutMs });
    await clock.sleep(isOver() ? 0 : retryMs);
  } while (!isOver());
}
