import { markup } from './markup.ts';
import { page } from './page.ts';

/** A message of the server of a live page, as JSON. */
export type LiveMessage = {
  readonly title?: string;
  /** Where the run is, such as `12 of 30 s`. */
  readonly clock?: string;
  /** Screen readers say it when it changes. */
  readonly status: string;
  /** Whether nothing changes any more. */
  readonly isOver: boolean;
  /** The inside of the element `main`, for a page that has nothing yet. */
  readonly main?: string;
  /** The parts that changed, by name. */
  readonly parts?: Readonly<Record<string, string>>;
};

const liveStyle = `
.live { position: fixed; inset: auto 0 0; max-width: 68rem; margin: 0 auto; z-index: 2; display: flex; flex-wrap: wrap; gap: .3rem 1.25rem; align-items: center; background: var(--card);
  border: 1px solid var(--line); border-radius: .6rem .6rem 0 0; padding: .6rem 1.1rem; }
footer { min-height: 4rem; border: 0; }
.live #clock { font-variant-numeric: tabular-nums; font-weight: 600; }
.live #status { flex: 1 1 6rem; }
.live button { font: inherit; color: var(--bad); background: var(--bad-soft); border: 1px solid var(--bad); border-radius: .4rem; padding: .3rem 1rem; min-height: 2.3rem; cursor: pointer; }
.live button:disabled { opacity: .5; cursor: default; }
@media print { .live { display: none; } }
`;

/** Replacing a part keeps what is open, focused and scrolled. The event `replaced` informs the page's own script. */
const liveScript = `
const main = document.querySelector('main');
const [clock, status, stop] = ['clock', 'status', 'stop'].map((id) => document.getElementById(id));
const source = new EventSource('events');
function nameOf(details) {
  return (details.querySelector('summary code') ?? details.querySelector('summary')).textContent;
}
function replace(place, html) {
  const open = new Map([...place.querySelectorAll('details')].map((one) => [nameOf(one), one.open]));
  const all = () => [...place.querySelectorAll('a, button, input, select, summary, [tabindex]')];
  const scrollers = () => [...place.querySelectorAll('.wide, .long')];
  const focused = all().indexOf(document.activeElement);
  const scrolled = scrollers().map((one) => [one.scrollLeft, one.scrollTop]);
  place.innerHTML = html;
  for (const one of place.querySelectorAll('details')) one.open = open.get(nameOf(one)) ?? one.open;
  scrollers().forEach((one, index) => one.scrollTo(...(scrolled[index] ?? [0, 0])));
  if (focused >= 0) all()[focused]?.focus({ preventScroll: true });
}
function say(text) {
  if (status.textContent !== text) status.textContent = text;
}
source.addEventListener('message', ({ data }) => {
  const message = JSON.parse(data);
  document.title = message.title ?? document.title;
  clock.textContent = message.clock ?? clock.textContent;
  say(message.status);
  if (message.main !== undefined) replace(main, message.main);
  for (const [name, html] of Object.entries(message.parts ?? {})) replace(main.querySelector('[data-part="' + name + '"]'), html);
  document.dispatchEvent(new Event('replaced'));
  stop.hidden = message.isOver;
  if (message.isOver) source.close();
});
stop.addEventListener('click', async () => {
  if (!confirm('Stop the run? The report will show the results so far.')) return;
  stop.disabled = true;
  const { ok } = await fetch('stop', { method: 'POST' }).catch(() => ({ ok: false }));
  say(ok ? 'Stopping' : 'The run could not be stopped from here.');
  stop.disabled = ok;
});
source.addEventListener('open', () => say('Waiting for figures'));
source.addEventListener('error', () => say('No connection to the run. These are the last figures received.'));
`;

/** The page of a run in progress before its first message, with the style and script of its report. Everything comes from the server at its own address. */
export function livePage(style: string, script: string): string {
  return page({
    title: 'Live',
    style: style + liveStyle,
    script: script + liveScript,
    connects: true,
    skip: 'Skip to the figures',
    main: markup`<p class="lead" id="content">No figures yet. This page needs scripts.</p>`,
    footer: markup`<span class="live" role="group" aria-label="Run"><span id="clock"></span> <span id="status" role="status">Connecting</span>
<button type="button" id="stop" hidden>Stop the run</button></span>`,
  });
}
