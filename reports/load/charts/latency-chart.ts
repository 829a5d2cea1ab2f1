import type { Markup } from '../../page/markup.ts';
import { count, latencyFigure } from '../../text/figures.ts';
import { sharesOfPoints } from '../distribution-record.ts';
import { isMeaningful, latencyMs, meaningfulMs } from '../latencies.ts';
import { type OverTime, timeChart } from './over-time.ts';
import type { LatencyLimit } from '../limits.ts';
import { limitPath, middleAboveZero, nearLimits, plotScale, seriesPath } from './plot.ts';

const percentiles = (['p50', 'p95', 'p99', 'max'] as const).map((name) => ({
  series: name,
  name,
  share: sharesOfPoints[name],
}));

/** Latency over time, by percentile, with the limits of percentiles over all requests. */
export function latencyChart(time: OverTime, limits: readonly LatencyLimit[]): Markup {
  const { points, middle } = time;
  const all = percentiles.flatMap(({ share }) => points.map(({ latency }) => latencyMs(latency, share) ?? 0));
  const drawn = nearLimits(
    limits.filter(({ operation, point }) => operation === undefined && percentiles.some(({ name }) => name === point)),
    all,
  );
  const { y, ticks, note } = plotScale(
    [...all, ...drawn.map(({ at }) => at)],
    middleAboveZero(points.map(({ latency }) => latencyMs(latency, 0.5) ?? 0)),
  );
  const present = percentiles.filter(({ share }) => points.some(({ latency }) => isMeaningful(latency, share)));
  return timeChart(time, {
    id: 'latency-over-time',
    title: 'Latency over time',
    lead: `Successes and timeouts in each interval, by scheduled time. A percentile is drawn where there are enough answers for it.${drawn.length === 0 ? '' : ' Thresholds apply to the whole run.'}${note}`,
    unit: 'ms',
    legend: [...present, ...drawn.map(({ point, text }) => ({ series: `${point} limit`, name: text }))],
    yTicks: ticks,
    drawing: [
      ...present.toReversed().map(({ series, share }) =>
        seriesPath(
          series,
          points.map((point) => {
            const ms = meaningfulMs(point.latency, share);
            return { x: middle(point), y: ms === undefined ? undefined : y(ms) };
          }),
        ),
      ),
      ...drawn.map(({ point, at }) => limitPath(point, y(at))),
    ],
    columns: [
      { name: 'answers', text: ({ latency }) => count(latency.count) },
      ...present.map(({ name, share }) => ({
        name,
        unit: 'ms',
        text: ({ latency }: OverTime['points'][number]) => latencyFigure(meaningfulMs(latency, share)),
      })),
    ],
  });
}
