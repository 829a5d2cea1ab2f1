import type { Check } from '../../engine/check.ts';
import { areaName } from '../../reports/record/areas.ts';
import { buildRecord } from '../../reports/record/build.ts';
import type { CheckRecord, RunRecord } from '../../reports/record/record.ts';
import type { RunEvent } from '../../reports/record/run-event.ts';
import type { Waivers } from '../../reports/record/waivers.ts';
import type { LivePage } from '../live/open-live-page.ts';
import { spokenDuration } from '../shared/spoken-duration.ts';

type Started = Extract<RunEvent, { readonly event: 'start' }>;

const showMs = 1000;
/** The page gets all finished checks every second, and exchanges are most of that data. The finished report has all exchanges. */
const mostWithEvidence = 30;

/** Builds a live page from the events of a run. It shows the finished checks, about once a second. */
export function showRun(page: LivePage, checks: readonly Check<string>[], waivers: Waivers): (event: RunEvent) => void {
  const planned = new Map([...Map.groupBy(checks, ({ id }) => areaName(id))].map(([area, own]) => [area, own.length]));
  const done: CheckRecord[] = [];
  let requests = 0;
  let withEvidence = 0;
  let timer: NodeJS.Timeout | undefined;

  function show(started: Started): void {
    if (!page.isWatched()) return;
    const record = recordSoFar(started, checks, done, { requests, waivers });
    const clock = `${done.length} of ${checks.length} checks, ${spokenDuration(record.durationMs)}`;
    page.show({ kind: 'run', record, live: { planned }, clock });
  }

  return (event) => {
    switch (event.event) {
      case 'start':
        timer = setInterval(() => show(event), showMs).unref();
        return;
      case 'verdict':
        done.push(withEvidence < mostWithEvidence ? event.check : { ...event.check, exchanges: [] });
        if (event.check.exchanges.length > 0) withEvidence += 1;
        ({ requests } = event);
        return;
      case 'observation':
        return;
      case 'end':
        clearInterval(timer);
    }
  };
}

/** The record of the checks that are over. */
function recordSoFar(
  { target, seed, strict, only, startedAt }: Started,
  checks: readonly Check<string>[],
  done: readonly CheckRecord[],
  rest: { readonly requests: number; readonly waivers: Waivers },
): RunRecord {
  const ids = new Set(done.map(({ id }) => id));
  const over = checks.filter(({ id }) => ids.has(id));
  const began = Date.parse(startedAt);
  return buildRecord(checks, over, done, {
    target,
    seed,
    strict,
    only,
    ...rest,
    startedAt: began,
    durationMs: Date.now() - began,
    observations: [],
    notes: [],
    problems: [],
    interrupted: false,
  });
}
