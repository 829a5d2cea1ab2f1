import type { Markup } from '../../page/markup.ts';
import { serverFigure, type ServerRecord, serverSeries } from '../server-record.ts';
import type { TimePoint } from '../time-series.ts';
import { type OverTime, timeChart } from './over-time.ts';
import { plotScale, seriesPath } from './plot.ts';

/** One chart for each series of the server, below the latencies and over the same time. */
export function serverCharts(time: OverTime, server: ServerRecord): readonly Markup[] {
  return serverSeries(server)
    .filter(({ points }) => points.length > 0)
    .map(({ name, unit, points }, index) => {
      const at = ({ fromMs, toMs }: TimePoint): number | undefined => {
        const own = points.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
        return own.length === 0 ? undefined : own.reduce((sum, { value }) => sum + value, 0) / own.length;
      };
      const values = time.points.map(at);
      const { y, ticks } = plotScale(
        values.flatMap((value) => value ?? []),
        undefined,
      );
      return timeChart(time, {
        id: `server-${index + 1}`,
        title: `Server: ${name}`,
        lead: 'The average in each interval, as the server reports it.',
        unit,
        legend: [{ series: 'p50', name }],
        yTicks: ticks,
        drawing: [
          seriesPath(
            'p50',
            time.points.map((point, place) => {
              const value = values[place];
              return { x: time.middle(point), y: value === undefined ? undefined : y(value) };
            }),
          ),
        ],
        columns: [
          {
            name,
            unit,
            text: (point) => {
              const value = at(point);
              return value === undefined ? undefined : serverFigure(value);
            },
          },
        ],
      });
    });
}
