import { join } from 'node:path';
import { shown } from '../../core/text.ts';
import { areasOf } from '../record/areas.ts';
import { blockedReasons } from '../record/blocked-reasons.ts';
import { countStatuses, statusColumns } from '../record/check-status.ts';
import { observedPoints, valueText } from '../record/observed-values.ts';
import { gapLines, waiverProblems } from '../record/waivers.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { ownFailure, resultWord, verdictSentence } from '../record/verdict-sentence.ts';
import { curlNote } from '../text/curl-note.ts';
import { count, duration, some } from '../text/figures.ts';
import { type Paint, painter } from '../text/paint.ts';
import { someOf } from '../text/some-of.ts';
import { checkTones, resultTones } from '../text/tones.ts';
import { historyLines } from '../text/history-lines.ts';
import { usedUpLines } from '../text/used-up-lines.ts';
import { terminalFindings } from './terminal-findings.ts';

/** Bounds the reasons for blocked checks where something broke, which the reader looks for first. */
const maxReasonsBesideFailures = 8;
/** Bounds what is shown of earlier runs. */
const maxHistoryLines = 8;
const maxGaps = 20;
/** More open points are not on the screen: they would push the table off it. */
const maxPoints = 10;
/** More areas in which every check passed share a row. */
const maxPassedAreas = 3;

export type TerminalOptions = {
  readonly color: boolean;
  /** The folder that report.json is written to, if it is. */
  readonly out?: string | undefined;
  /** What writes a report if none is written. */
  readonly reportFrom?: string;
};

/**
 * A run on one screen, the verdict in the last line: counts by area, findings, blocked checks, observations. Where something
 * broke, the screen shows the failures and leaves to the report what would push them off.
 */
export function renderTerminal(record: RunRecord, { color, out, reportFrom = '--out DIR' }: TerminalOptions): string {
  const paint = painter(color);
  const { suite, target, seed, summary } = record;
  const isBroken = summary.failed + summary.errored > 0;
  const points = observedPoints(record.observations).length;
  const showsPoints = !isBroken && points <= maxPoints;
  const { blocks: findings, shortened } = terminalFindings(record, paint);
  const heading = `${suite.name} ${suite.version} · ${target.name} · ${target.baseUrl} · seed ${seed}`;
  const blocks = [
    paint('strong', shown(heading, 400)),
    areaTable(record, paint),
    ...findings,
    curlNote(record, record.checks) ?? '',
    history(record, paint),
    blocked(record, isBroken ? maxReasonsBesideFailures : Infinity, paint),
    gaps(record, paint),
    showsPoints ? observed(record, paint) : passingErrors(record, paint),
    usedUp(record, paint),
    elsewhere(showsPoints ? cutPoints(record) : points, shortened, {
      out,
      reportFrom,
    }),
    [...record.notes, ...record.problems, ...waiverProblems(record)].map((note) => `! ${shown(note, 1000)}`).join('\n'),
    verdictLine(record, paint),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function areaTable({ checks }: RunRecord, paint: Paint): string {
  const columns = statusColumns(checks);
  const row = (name: string, own: readonly CheckRecord[]) => {
    const counts = countStatuses(own);
    const cells = columns.map((status) => {
      const amount = counts[status];
      return paint(amount === 0 ? 'faint' : checkTones[status], (amount === 0 ? '·' : count(amount)).padStart(9));
    });
    return [`  ${shown(name, 40).padEnd(14)}`, count(own.length).padStart(7), ...cells].join('');
  };
  const areas = areasOf(checks);
  const passed = areas.filter((area) => area.checks.every(({ verdict }) => verdict === 'passed'));
  const isShort = passed.length > maxPassedAreas && passed.length < areas.length;
  const rows = (isShort ? areas.filter((area) => !passed.includes(area)) : areas).map((area) =>
    row(area.name, area.checks),
  );
  const others = isShort
    ? [
        row(
          `${passed.length} others`,
          passed.flatMap((area) => area.checks),
        ),
      ]
    : [];
  const sum = areas.length > 1 ? [row('all', checks)] : [];
  const head = [`  ${'area'.padEnd(14)}`, 'checks'.padStart(7), ...columns.map((name) => name.padStart(9))];
  return [paint('faint', head.join('')), ...rows, ...others, ...sum].join('\n');
}

function blocked(record: RunRecord, maxReasons: number, paint: Paint): string {
  const reasons = blockedReasons(record);
  if (reasons.length === 0) return '';
  const lines = reasons
    .slice(0, maxReasons)
    .flatMap(({ reason, ids }) => [
      `  ${shown(reason, 400)}`,
      paint('faint', `    ${someOf(ids.map((id) => shown(id, 120)))}`),
    ]);
  if (reasons.length > maxReasons) lines.push(`  and ${some(reasons.length - maxReasons, 'more reason')}`);
  return [paint('doubtful', 'Blocked (not exercised), by reason'), ...lines].join('\n');
}

function gaps(record: RunRecord, paint: Paint): string {
  const lines = gapLines(record);
  if (lines.length === 0) return '';
  const more = lines.length > maxGaps ? [`  and ${some(lines.length - maxGaps, 'more gap')}`] : [];
  const shownLines = lines.slice(0, maxGaps).map((line) => `  ${shown(line, 400)}`);
  return [paint('strong', 'Accepted gaps (not exercised)'), ...shownLines, ...more].join('\n');
}

function observed({ observations }: RunRecord, paint: Paint): string {
  if (observations.length === 0) return '';
  const points = observedPoints(observations);
  const width = Math.max(...points.map(({ point }) => shown(point, 40).length));
  const lines = points.map(({ point, values }) => `  ${shown(point, 40).padEnd(width)} ${observedText(values)}`);
  return [paint('strong', 'Observed where the specification leaves a choice'), ...lines].join('\n');
}

/** What must not go unseen, even if other observations are only in the report. */
function passingErrors({ observations }: RunRecord, paint: Paint): string {
  const values = observations.filter(({ point, value }) => point === 'errors.passing' && value !== 'none');
  if (values.length === 0) return '';
  const title = paint('strong', 'Errors that did not recur when the request was sent again (errors.passing)');
  return `${title}\n  ${someOf(values.map(({ value }) => shown(value, 120)))}`;
}

type Values = ReturnType<typeof observedPoints>[number]['values'];

function observedText(values: Values): string {
  const maxNames = Math.max(1, Math.floor(4 / values.length));
  return someOf(values.map((value) => shown(valueText(value, maxNames), 120)));
}

/** The open points of which the screen does not show every observation in full. */
function cutPoints({ observations }: RunRecord): number {
  const inFull = (values: Values) => values.map((value) => shown(valueText(value, Infinity), Infinity)).join(', ');
  return observedPoints(observations).filter(({ values }) => observedText(values) !== inFull(values)).length;
}

function history(record: RunRecord, paint: Paint): string {
  if (record.history === undefined) return '';
  const lines = historyLines(record.history);
  const title = paint('strong', `History (${some(record.history.runs, 'run')})`);
  if (lines.length === 0) return `${title}: no requirement fails, and none changed.`;
  const more = lines.length > maxHistoryLines ? [`  and ${lines.length - maxHistoryLines} more`] : [];
  return [title, ...lines.slice(0, maxHistoryLines).map((line) => `  ${line}`), ...more].join('\n');
}

function usedUp(record: RunRecord, paint: Paint): string {
  const lines = record.usedUp === undefined ? [] : usedUpLines(record.usedUp);
  return lines.length === 0 ? '' : [paint('strong', 'Used up'), ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Where to find what the screen leaves out. */
function elsewhere(
  points: number,
  shortened: number,
  { out, reportFrom }: { readonly out: string | undefined; readonly reportFrom: string },
): string {
  const left = [
    ...(shortened === 0 ? [] : [`${some(shortened, 'more finding')} with exchange and curl line`]),
    ...(points === 0 ? [] : [`the observations at ${some(points, 'open point')}`]),
  ];
  if (left.length === 0) return '';
  if (out === undefined) return `Not shown here: ${left.join(', and ')}. ${reportFrom} writes them to a report.`;
  const path = shown(join(out, 'report.json'), 400);
  return `Also in ${path}: ${left.join(', and ')}. For a page: awc report ${path} --format html --out report.html`;
}

function verdictLine(record: RunRecord, paint: Paint): string {
  const { requests, durationMs, result } = record;
  const isBad = waiverProblems(record).length > 0 || ownFailure(record) !== undefined;
  const tone = isBad ? 'bad' : resultTones[result];
  const verdict = paint(tone, `${resultWord(record)}: ${verdictSentence(record)}`);
  return requests === 0 ? verdict : `${verdict} ${paint('faint', `${requests} requests in ${duration(durationMs)}`)}`;
}
