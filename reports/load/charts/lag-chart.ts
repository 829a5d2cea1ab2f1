import type { Markup } from '../../page/markup.ts';
import { latencyFigure } from '../../text/figures.ts';
import type { Distribution } from '../distribution-record.ts';
import { lagText } from '../load-words.ts';
import { type OverTime, timeChart } from './over-time.ts';
import { middleAboveZero, plot, plotRect, plotScale } from './plot.ts';

/** How late the generator sent. */
export function lagChart(time: OverTime, lag: Distribution): Markup {
  const { points, x } = time;
  const lags = points.map(({ lagMaxMs }) => lagMaxMs);
  const { y, ticks, note } = plotScale(lags, middleAboveZero(lags));
  return timeChart(time, {
    id: 'lag',
    title: 'Schedule lag',
    lead: `How late the generator sent the latest request of each interval. All requests: ${lagText(lag)}.${note}`,
    unit: 'ms',
    legend: [{ series: 'lag', name: 'longest lag' }],
    yTicks: ticks,
    drawing: points.map(({ fromMs, toMs, lagMaxMs }) => {
      const width = Math.max(1, (x(toMs) - x(fromMs)) * 0.8);
      return plotRect('lag', x(fromMs), width, Math.min(plot.height, y(lagMaxMs)), plot.height);
    }),
    columns: [{ name: 'longest lag', unit: 'ms', text: ({ lagMaxMs }) => latencyFigure(lagMaxMs) }],
  });
}
