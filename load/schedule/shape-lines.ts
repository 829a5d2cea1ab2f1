import { rateFigure } from '../../reports/text/figures.ts';
import type { Schedule } from './arrivals.ts';
import { rateCurve } from './rate-curve.ts';

const columns = 60;
const rows = 5;
/** Eighths of a row, from nothing to all of it. */
const blocks = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const full = blocks.length - 1;

/** The rate over time as lines for a terminal; none if it never changes. */
export function shapeLines({ ratePerSecond, stages }: Pick<Schedule, 'ratePerSecond' | 'stages'>): readonly string[] {
  const { durationMs, highestBetween } = rateCurve(ratePerSecond, stages);
  if (stages.every((stage) => stage.ratePerSecond === ratePerSecond)) return [];
  const stepMs = durationMs / columns;
  const rates = Array.from({ length: columns }, (_, index) => highestBetween(index * stepMs, (index + 1) * stepMs));
  const peak = Math.max(...rates);
  const label = `${rateFigure(peak)}/s`;
  const eighths = rates.map((rate) => Math.max(1, Math.round((rate / peak) * rows * full)));
  const lines = Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * full;
    const cells = eighths.map((level) => blocks[Math.min(full, Math.max(0, level - below))] ?? ' ');
    return `${(row === 0 ? label : '').padStart(label.length)} │${cells.join('')}`.trimEnd();
  });
  const end = `${Math.round(durationMs) / 1000} s`;
  return [...lines, `${' '.repeat(label.length)} └0 s${end.padStart(columns - 3)}`];
}
