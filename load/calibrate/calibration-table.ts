import type { Calibration } from './calibrate.ts';

/** If the open engine is off by more than this share, its latencies cannot be trusted on this machine. */
const mostError = 0.1;

/** The timers of the target and of the engine add up to this much at p99 on an idle machine. */
const timersMs = 5;

/** The true and the reported latency of each percentile, and a verdict. */
export function calibrationTable(calibrations: readonly Calibration[]): {
  readonly text: string;
  readonly isTrustworthy: boolean;
} {
  const head = ['latency model', 'engine', 'answers', 'point', 'true ms', 'reported ms', 'off by'];
  const widths = [15, 8, 9, 7, 10, 13, 9];
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('')
      .trimEnd();
  const rows = calibrations.flatMap(({ model, engine, answers, points }) =>
    points.map(({ point, trueMs, reportedMs }) =>
      line([
        model.name,
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
    ? `The open engine is within 10% or ${timersMs} ms of the truth: its latencies can be trusted on this machine.`
    : `The open engine is off by more than 10% and ${timersMs} ms: this machine is too busy to measure latencies now.`;
  const closed =
    'The closed engine waits for each answer, so it rarely sends during a stall: use its throughput, not its latencies.';
  return { text: `${[line(head), ...rows].join('\n')}\n\n${open}\n${closed}\n`, isTrustworthy };
}

function percent(share: number): string {
  return `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)}%`;
}
