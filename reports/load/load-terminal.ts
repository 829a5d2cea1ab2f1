import { shown } from '../../core/text.ts';
import { type Paint, painter, type Tone } from '../text/paint.ts';
import { thresholdAmount } from './page/threshold-amount.ts';
import { timeFigure } from './page/time-figure.ts';
import type { LoadOperationRecord, LoadOutcomeRecord, LoadRecord, LoadThresholdRecord } from './load-record.ts';

/** Violations and notes that are told; further ones are in the record. */
const maxTold = 12;

/** A load run on one screen: figures by operation and outcome, thresholds, what was wrong, and the verdict as last line. */
export function renderLoadTerminal(record: LoadRecord, { color }: { readonly color: boolean }): string {
  const paint = painter(color);
  const { suite, target, profile, seed } = record;
  const heading = `${suite.name} ${suite.version} · ${target.name} · ${target.baseUrl} · ${profile.name} · seed ${seed}`;
  const blocks = [
    `${paint('strong', shown(heading, 400))}\n${paint('faint', shown(profile.question, 300))}`,
    operationsTable(record, paint),
    record.facts.map((fact) => factLine(fact, paint)).join('\n'),
    record.thresholds.map((threshold) => thresholdLine(threshold, paint)).join('\n'),
    violationLines(record, paint).join('\n'),
    generatorLines(record, paint).join('\n'),
    record.notes
      .slice(0, maxTold)
      .map((note) => `! ${shown(note, 600)}`)
      .join('\n'),
    verdictLine(record, paint),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const columns = ['count', 'p50', 'p95', 'p99', 'max'] as const;

function operationsTable({ operations, generator }: LoadRecord, paint: Paint): string {
  if (operations.length === 0) return '';
  const validity = generator.latencyValid ? '' : '  (not valid)';
  const head = `  ${'operation'.padEnd(18)}${'outcome'.padEnd(12)}${columns.map((name) => name.padStart(10)).join('')}  latency, ms${validity}`;
  return [paint('faint', head), ...operations.flatMap((operation) => operationRows(operation, paint))].join('\n');
}

function operationRows({ operation, outcomes, withheld }: LoadOperationRecord, paint: Paint): readonly string[] {
  const rows = outcomes
    .toSorted((one, other) => other.count - one.count)
    .map(({ outcome, class: kind, count, latency }, index) => {
      const times = [latency.p50, latency.p95, latency.p99, latency.max].map((value) => timeFigure(value).padStart(10));
      const label = paint(toneOf(kind), shown(outcome, 11).padEnd(12));
      return `  ${(index === 0 ? operation : '').padEnd(18)}${label}${String(count).padStart(10)}${times.join('')}`;
    });
  return withheld === 0
    ? rows
    : [...rows, `  ${''.padEnd(18)}${'withheld'.padEnd(12)}${String(withheld).padStart(10)}`];
}

function toneOf(kind: LoadOutcomeRecord['class']): Tone {
  switch (kind) {
    case 'ok':
      return 'good';
    case 'rateLimited':
    case 'conflict':
      return 'doubtful';
    case 'refused':
    case 'failed':
    case 'timeout':
    case 'transport':
      return 'bad';
  }
}

function factLine({ name, value, verdict }: LoadRecord['facts'][number], paint: Paint): string {
  const mark =
    verdict === 'good'
      ? paint('good', '✓')
      : verdict === 'bad'
        ? paint('bad', '✗')
        : verdict === 'unclear'
          ? paint('doubtful', '?')
          : ' ';
  return `${mark} ${shown(name, 60).padEnd(34)} ${shown(value, 400)}`;
}

function thresholdLine(threshold: LoadThresholdRecord, paint: Paint): string {
  const { text, verdict, reason } = threshold;
  const mark = { held: paint('good', '✓'), missed: paint('bad', '✗'), unjudged: paint('doubtful', '?') }[verdict];
  const told = [thresholdAmount(threshold), reason].filter((part) => part !== undefined);
  return `${mark} ${shown(text, 80).padEnd(36)} ${told.join(', ')}`;
}

function violationLines({ violations }: LoadRecord, paint: Paint): readonly string[] {
  return violations.slice(0, maxTold).flatMap(({ rule, operation, sentence, count, proofs }) => {
    const [proof] = proofs;
    return [
      `${paint('bad', 'violated')} ${shown(rule, 60)} by ${count} answers of ${operation}: ${shown(sentence, 200)}`,
      ...(proof === undefined
        ? []
        : [`  expected ${shown(proof.expected, 200)}`, `  actual   ${shown(proof.actual, 200)}`]),
    ];
  });
}

function generatorLines(
  { generator, offeredPerSecond, throughputPerSecond }: LoadRecord,
  paint: Paint,
): readonly string[] {
  const { lag, processCores, eventLoopUtilization, sockets, memoryMb } = generator;
  const parts = [
    ...(offeredPerSecond === undefined ? [] : [`offered ${offeredPerSecond.toFixed(1)}/s`]),
    `succeeded ${throughputPerSecond.toFixed(1)}/s`,
    ...(lag === undefined ? [] : [`lag p50 ${timeFigure(lag.p50)} p99 ${timeFigure(lag.p99)} ms`]),
    `loop ${Math.round(eventLoopUtilization * 100)}%`,
    `${processCores.toFixed(2)} cores`,
    `sockets ${sockets.peak} of ${sockets.cap}`,
    `${Math.round(memoryMb)} MB`,
  ];
  const state = generator.verdict === 'fit' ? paint('good', 'fit') : paint('doubtful', 'the bottleneck');
  return [
    `Generator ${state}: ${paint('faint', parts.join(' · '))}`,
    ...generator.reasons.map((reason) => `  ${shown(reason, 300)}`),
  ];
}

function verdictLine({ result, sentence }: LoadRecord, paint: Paint): string {
  const tone: Tone = result === 'held' ? 'good' : result === 'missed' || result === 'aborted' ? 'bad' : 'doubtful';
  return paint(tone, shown(sentence, 500));
}
