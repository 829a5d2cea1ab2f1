import { shown } from '../../core/text.ts';
import { capitalized } from '../text/capitalized.ts';
import { duration, latencyFigure } from '../text/figures.ts';
import { type Paint, painter } from '../text/paint.ts';
import { toneSigns } from '../text/tones.ts';
import { usedUpLines } from '../text/used-up-lines.ts';
import type { LoadOperationRecord, LoadRecord } from './load-record.ts';
import {
  droppedRequests,
  skippedSteps,
  environmentText,
  factReadings,
  generatorFigures,
  generatorReadings,
  latencyFigures,
  outcomeReadings,
  phaseRows,
  type Reading,
  resultReadings,
  thresholdAmount,
  thresholdReadings,
  violationAmount,
  whyNoPhases,
} from './load-words.ts';
import { overallName, overallRow } from './overall-row.ts';

/** Bounds the violations and the notes on the screen; the record has all of them. */
const maxListed = 12;

const maxSlowest = 3;

/** A load run on one screen: figures by operation and outcome, thresholds, problems, and the verdict as last line. */
export function renderLoadTerminal(record: LoadRecord, { color }: { readonly color: boolean }): string {
  const paint = painter(color);
  const { suite, target, profile, seed, facts, thresholds, generator, notes } = record;
  const heading = `${suite.name} ${suite.version} · ${target.name} · ${target.baseUrl} · ${profile.name} · seed ${seed}`;
  const sign = ({ tone }: Reading) => paint(tone, toneSigns[tone]);
  const { word, tone } = generatorReadings[generator.verdict];
  const blocks: readonly (readonly string[])[] = [
    [paint('strong', shown(heading, 400)), paint('faint', shown(profile.question, 300))],
    operationsTable(record, paint),
    stepsTable(record, paint),
    phasesTable(record, paint),
    slowestLines(record),
    facts.map(({ name, value, verdict }) => {
      const mark = verdict === undefined ? ' ' : sign(factReadings[verdict]);
      return `${mark} ${shown(name, 60).padEnd(34)} ${shown(value, 400)}`;
    }),
    thresholds.map((threshold) => {
      const { text, verdict, reason, actual } = threshold;
      const parts = [actual === undefined ? undefined : thresholdAmount(threshold), reason];
      const measured = parts.filter((part) => part !== undefined).join(', ');
      return `${sign(thresholdReadings[verdict])} ${shown(text, 80).padEnd(36)} ${measured}`;
    }),
    violationLines(record, paint),
    [
      `Generator ${paint(tone, word)}: ${paint('faint', generatorFigures(record))}`,
      ...generator.reasons.map((reason) => `  ${shown(reason, 300)}`),
      ...generator.environments.slice(0, maxListed).map((one) => paint('faint', `  ${environmentText(one)}`)),
    ],
    usedUpBlock(record, paint),
    notes.slice(0, maxListed).map((note) => `! ${shown(note, 600)}`),
    [paint(resultReadings[record.result].tone, shown(capitalized(record.sentence), 500))],
  ];
  const present = blocks.filter((lines) => lines.length > 0);
  return `${present.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function usedUpBlock({ usedUp }: LoadRecord, paint: Paint): readonly string[] {
  const lines = usedUpLines(usedUp);
  return lines.length === 0 ? [] : [paint('strong', 'Used up'), ...lines.map((line) => `  ${line}`)];
}

function tableHead(first: string, unit: string, paint: Paint, second = 'outcome'): string {
  const columns = ['count', 'p50', 'p95', 'p99', 'max'].map((name) => name.padStart(10)).join('');
  return paint('faint', `  ${first.padEnd(20)}${second.padEnd(12)}${columns}  ${unit}`);
}

/** The steps of a flow, and the whole of it. */
function stepsTable({ steps }: LoadRecord, paint: Paint): readonly string[] {
  if (steps.length === 0) return [];
  return [
    tableHead('step', 'latency since the step was due, ms', paint),
    ...steps.flatMap((step) => measureRows(shown(step.name, 18), step, skippedSteps(step), paint)),
  ];
}

/** Where the time of a request goes after it was sent. */
function phasesTable(record: LoadRecord, paint: Paint): readonly string[] {
  const rows = phaseRows(record).map(([name, ...figures]) => `  ${name.padEnd(32)}${cells(figures)}`);
  return rows.length === 0
    ? [whyNoPhases(record)].filter((line) => line !== undefined)
    : [tableHead('phase', 'time in each phase after the request was sent, ms', paint, ''), ...rows];
}

/** The slowest request of the slowest operations, or in a flow of the slowest steps; the record has more. */
function slowestLines({ slowest, steps }: LoadRecord): readonly string[] {
  const ofSteps = steps.flatMap((step) => step.slowest.slice(0, 1).map((request) => ({ name: step.name, request })));
  const ofOperations = [...Map.groupBy(slowest, ({ operation }) => operation)].flatMap(([name, requests]) =>
    requests.slice(0, 1).map((request) => ({ name, request })),
  );
  return (ofSteps.length > 0 ? ofSteps : ofOperations)
    .toSorted((one, other) => other.request.latencyMs - one.request.latencyMs)
    .slice(0, maxSlowest)
    .map(({ name, request: { outcome, latencyMs, atMs, traceId, traceUrl = traceId } }) => {
      const figures = `${shown(outcome, 11)} in ${latencyFigure(latencyMs)} ms at ${duration(atMs)}`;
      return `Slowest ${shown(name, 40)}: ${figures}, trace ${shown(traceUrl, 300)}`;
    });
}

function operationsTable(record: LoadRecord, paint: Paint): readonly string[] {
  const { operations, generator } = record;
  if (operations.length === 0) return [];
  const unit = generator.latencyValid ? 'latency, ms' : 'latency, ms  (not valid)';
  const overall = overallRow(record);
  return [
    tableHead('operation', unit, paint),
    ...operations.flatMap((one) => measureRows(one.operation, one, droppedRequests(one), paint)),
    ...(overall === undefined
      ? []
      : [
          `  ${overallName.padEnd(20)}${overall.outcome.padEnd(12)}${cells([String(overall.count), ...overall.figures])}`,
        ]),
  ];
}

function cells(texts: readonly string[]): string {
  return texts.map((text) => text.padStart(10)).join('');
}

function measureRows(
  name: string,
  { outcomes }: LoadOperationRecord,
  dropped: ReturnType<typeof droppedRequests>,
  paint: Paint,
): readonly string[] {
  const rows = outcomes
    .toSorted((one, other) => other.count - one.count)
    .map(({ outcome, class: kind, count, latency }) => {
      const label = paint(outcomeReadings[kind].tone, shown(outcome, 11).padEnd(12));
      return `${label}${cells([String(count), ...latencyFigures(latency)])}`;
    });
  const rest = dropped.map(({ requests, why }) => `${'dropped'.padEnd(12)}${String(requests).padStart(10)}  ${why}`);
  return [...rows, ...rest].map((row, index) => `  ${(index === 0 ? name : '').padEnd(20)}${row}`);
}

function violationLines({ violations }: LoadRecord, paint: Paint): readonly string[] {
  return violations.slice(0, maxListed).flatMap((violation) => {
    const { rule, sentence, proofs } = violation;
    const [proof] = proofs;
    return [
      `${paint('bad', 'violated')} ${shown(rule, 60)} by ${violationAmount(violation)}: ${shown(sentence, 200)}`,
      ...(proof === undefined
        ? []
        : [`  expected ${shown(proof.expected, 200)}`, `  actual   ${shown(proof.actual, 200)}`]),
    ];
  });
}
