import type { LoadThresholdRecord } from '../load-record.ts';
import { timeFigure } from './time-figure.ts';

/** What was measured, in the unit in which the threshold is written; undefined where nothing was. */
export function thresholdAmount({ text, actual }: LoadThresholdRecord): string | undefined {
  if (actual === undefined) return undefined;
  if (text.endsWith('%')) return `${(actual * 100).toFixed(actual < 0.1 ? 2 : 1)}%`;
  if (text.endsWith('/s')) return `${actual.toFixed(1)}/s`;
  return /(?:latency|service)\./.test(text) ? `${timeFigure(actual)} ms` : String(actual);
}
