import { line } from 'd3-shape';
import { type Markup, markup } from '../../page/markup.ts';

/** A point in units of the plot; without `y` there is a gap. */
export type PlotPoint = { readonly x: number; readonly y: number | undefined };

/** A series as a line with gaps. What stands alone between two gaps has no line, so it is a dot. */
export function seriesPath(series: string, points: readonly PlotPoint[]): Markup {
  const path = line<PlotPoint>()
    .defined(({ y }) => y !== undefined)
    .x(({ x }) => x)
    .y(({ y }) => y ?? 0)
    .digits(1);
  const lone = points.filter(
    ({ y }, index) => y !== undefined && points[index - 1]?.y === undefined && points[index + 1]?.y === undefined,
  );
  const dots = lone.map(({ x, y = 0 }) => `M${x.toFixed(1)},${y.toFixed(1)}h.01`).join('');
  return markup`<path class="s-${series}" d="${path(points) ?? ''}"/>${
    dots === '' ? undefined : markup`<path class="lone s-${series}" d="${dots}"/>`
  }`;
}
