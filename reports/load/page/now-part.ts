import { factList } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { count, latencyFigure, rateFigure, some } from '../../text/figures.ts';
import type { LiveFigures, LiveLoad } from '../live-load.ts';
import { tile } from './heading.ts';

/** The figures of the last seconds of a load in progress. */
export function nowPart({ elapsedMs, figures }: LiveLoad): Markup {
  const { seconds, offeredPerSecond, succeededPerSecond, latencyMs, lagMs } = figures;
  const title = elapsedMs < 0 ? 'Now' : `The last ${some(Math.round(seconds), 'second')}`;
  const tiles = [
    { name: 'offered', text: rateFigure(offeredPerSecond), unit: '/s' },
    { name: 'succeeded', text: rateFigure(succeededPerSecond), unit: '/s' },
    ...(['p50', 'p95', 'p99'] as const).map((name) => ({ name, text: latencyFigure(latencyMs?.[name]), unit: 'ms' })),
    { name: 'longest lag', text: latencyFigure(lagMs), unit: 'ms' },
  ];
  return markup`<section aria-labelledby="now-title"><h2 id="now-title">${title}</h2>
${elapsedMs < 0 ? markup`<p class="lead">Warming up, or waiting for the start: ${count(Math.ceil(-elapsedMs / 1000))} s left.</p>` : markup`<div class="tiles">${tiles.map(tile)}</div>`}
${factList([['Outcomes so far', outcomesText(figures)]])}</section>`;
}

function outcomesText({ outcomes, capped }: LiveFigures): string | undefined {
  const all = [
    ...outcomes.map(([outcome, times]) => `${outcome}: ${count(times)}`),
    ...(capped === 0 ? [] : [`dropped by the limit: ${count(capped)}`]),
  ];
  return all.length === 0 ? undefined : all.join(', ');
}
