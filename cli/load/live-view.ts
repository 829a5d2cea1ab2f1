import type { LoadProgress } from '../../load/measure/report-progress.ts';
import { count } from '../../reports/text/figures.ts';
import type { LiveFigures } from '../../reports/load/live-load.ts';
import { liveFigures } from './live-figures.ts';

/** The most statuses that are shown; a target may answer with any number of them. */
const mostOutcomes = 6;

/** A run in progress as a block of lines for a terminal, which are overwritten. */
export function liveBlock(name: string, progress: LoadProgress): readonly string[] {
  if (progress.elapsedMs < 0) return [`${name}: ${warmingUp(progress)}`];
  const figures = liveFigures(progress);
  return [
    `${name}: ${timeText(progress)}; the last ${figures.seconds.toFixed(0)} s:`,
    `  rate      ${rateText(figures)}`,
    `  latency   ${latencyText(figures)}`,
    `  waiting   ${waitingText(figures)}`,
    `  lag       ${lagText(figures)}`,
    `  so far    ${outcomesText(figures)}${brokenText(progress)}`,
  ];
}

/** The same in one line: for logs. */
export function liveLine(progress: LoadProgress): string {
  if (progress.elapsedMs < 0) return warmingUp(progress);
  const figures = liveFigures(progress);
  const parts = [
    timeText(progress),
    rateText(figures),
    latencyText(figures),
    `waiting ${waitingText(figures)}`,
    `${outcomesText(figures)}${brokenText(progress)}`,
    `lag ${lagText(figures)}`,
  ];
  return parts.join(' · ');
}

/** Whether a line of a log is one of {@link liveLine}. */
export function isLiveLine(line: string): boolean {
  return /^(?:warming up, or waiting for the start: |\d+ (?:of \d+ )?s (?:\(\d+ s planned\) )?· offered )/.test(line);
}

function warmingUp({ elapsedMs }: LoadProgress): string {
  return `warming up, or waiting for the start: ${Math.ceil(-elapsedMs / 1000)} s left`;
}

export function timeText({ elapsedMs, plannedMs }: LoadProgress): string {
  const seconds = Math.round(elapsedMs / 1000);
  if (plannedMs === undefined) return `${seconds} s`;
  const planned = Math.round(plannedMs / 1000);
  return seconds > planned ? `${seconds} s (${planned} s planned)` : `${seconds} of ${planned} s`;
}

function rateText({ offeredPerSecond, succeededPerSecond }: LiveFigures): string {
  return `offered ${offeredPerSecond.toFixed(1)}/s, succeeded ${succeededPerSecond.toFixed(1)}/s`;
}

function latencyText({ latencyMs }: LiveFigures): string {
  if (latencyMs === undefined) return 'no answer to these yet';
  return `p50 ${latencyMs.p50.toFixed(1)} p95 ${latencyMs.p95.toFixed(1)} p99 ${latencyMs.p99.toFixed(1)} ms`;
}

/** A target that stalls shows here first: the latencies are those of requests that are over. */
function waitingText({ waiting: { requests, oldestMs } }: LiveFigures): string {
  return oldestMs < 1000 ? count(requests) : `${count(requests)}, the oldest for over ${Math.floor(oldestMs / 1000)} s`;
}

function lagText({ lagMs }: LiveFigures): string {
  return `${lagMs.toFixed(1)} ms`;
}

function outcomesText({ outcomes, capped }: LiveFigures): string {
  const named = outcomes.slice(0, mostOutcomes).map(([outcome, times]) => `${outcome}: ${times}`);
  return [
    ...(named.length === 0 ? ['nothing answered'] : named),
    ...(outcomes.length > mostOutcomes ? ['…'] : []),
    ...(capped === 0 ? [] : [`dropped by the limit: ${capped}`]),
  ].join(', ');
}

function brokenText({ broken }: LoadProgress): string {
  return broken === 0 ? '' : `, ${broken} violating ${broken === 1 ? 'answer' : 'answers'}`;
}
