import type { Calibration } from './calibrate.ts';

/** An open engine that is further off than this share cannot be trusted on this machine today. */
const mostError = 0.1;

/** So many milliseconds are what the timers of a machine that is not busy add at p99: those of the target, and those of the engine. */
const timersMs = 5;

/** True against reported, a line a point, and what it means. */
export function calibrationTable(calibrations: readonly Calibration[]): {
  readonly text: string;
  readonly isTrustworthy: boolean;
} {
  const head = ['law', 'engine', 'answers', 'point', 'true ms', 'reported ms', 'off by'];
  const widths = [12, 8, 9, 7, 10, 13, 9];
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('')
      .trimEnd();
  const rows = calibrations.flatMap(({ law, engine, answers, points }) =>
    points.map(({ point, trueMs, reportedMs }) =>
      line([
        law.name,
        engine,
        String(answers),
        point,
        trueMs.toFixed(1),
        reportedMs.toFixed(1),
        percent(reportedMs / trueMs - 1),
      ]),
    ),
  );
  const isTrustworthy = calibrations.every(
    ({ engine, points }) =>
      engine === 'closed' ||
      points.every(({ trueMs, reportedMs }) => Math.abs(reportedMs - trueMs) <= Math.max(timersMs, mostError * trueMs)),
  );
  const open = isTrustworthy
    ? `The open engine reports what is true, to a tenth or ${timersMs} ms: its latencies can be trusted on this machine.`
    : `The open engine is off by more than a tenth and ${timersMs} ms: this machine is too busy to measure latencies now.`;
  const closed =
    'The closed engine waits for each answer and so hardly meets a stall: take throughput from it, never latencies.';
  return { text: `${[line(head), ...rows].join('\n')}\n\n${open}\n${closed}\n`, isTrustworthy };
}

function percent(share: number): string {
  return `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)}%`;
}
