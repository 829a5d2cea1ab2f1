import { boundedMarkdown } from '../text/bounded-markdown.ts';
import type { LoadRecord } from './load-record.ts';
import { codeText, plainText } from '../text/markdown-text.ts';
import { resultWords } from './page/result-word.ts';
import { thresholdAmount } from './page/threshold-amount.ts';
import { timeFigure } from './page/time-figure.ts';

/** A load run as Markdown for a summary of a step. */
export function renderLoadMarkdown(record: LoadRecord): string {
  const { target, profile, suite, seed, sentence, result, notes } = record;
  const effort = `${(record.measuredMs / 1000).toFixed(1)} s, seed ${seed}`;
  const judge = `${plainText(suite.name, 100)} ${plainText(suite.version, 40)}`;
  const blocks = [
    `## ${resultWords[result].word}: ${plainText(profile.question, 500)}`,
    plainText(sentence, 1000),
    `**${plainText(target.name, 200)}** ${codeText(target.baseUrl, 500)} · ${plainText(profile.name, 100)} · ${effort} · ${judge}`,
    ...notes.map((note) => `> ${plainText(note, 1000)}`),
    ...thresholdTable(record),
    ...factTable(record),
    ...operationTable(record),
    generatorLine(record),
    ...violations(record),
  ];
  return boundedMarkdown(blocks, 'load.json');
}

function thresholdTable({ thresholds }: LoadRecord): readonly string[] {
  if (thresholds.length === 0) return [];
  const signs = { held: '✓ held', missed: '✗ missed', unjudged: '? unjudged' } as const;
  const rows = thresholds.map((threshold) => {
    const { text, verdict, reason = '' } = threshold;
    return `| ${signs[verdict]} | ${codeText(text, 200)} | ${thresholdAmount(threshold) ?? '–'} | ${plainText(reason, 500)} |`;
  });
  return [['| verdict | threshold | measured | |', '| --- | --- | --: | --- |', ...rows].join('\n')];
}

function factTable({ facts }: LoadRecord): readonly string[] {
  if (facts.length === 0) return [];
  const signs = { good: '✓ ', bad: '✗ ', unclear: '? ' } as const;
  const rows = facts.map(
    ({ name, value, verdict }) =>
      `| ${verdict === undefined ? '' : signs[verdict]}${plainText(name, 200)} | ${plainText(value, 1000)} |`,
  );
  return [['| asked | found |', '| --- | --- |', ...rows].join('\n')];
}

function operationTable({ operations, generator }: LoadRecord): readonly string[] {
  const rows = operations.flatMap(({ operation, outcomes }) =>
    outcomes.map(({ outcome, count, latency }) => {
      const times = [latency.p50, latency.p95, latency.p99, latency.max].map(timeFigure);
      return `| ${operation} | ${plainText(outcome, 40)} | ${[String(count), ...times].join(' | ')} |`;
    }),
  );
  if (rows.length === 0) return [];
  const head = '| operation | outcome | count | p50 | p95 | p99 | max |\n| --- | --- | --: | --: | --: | --: | --: |';
  const validity = generator.latencyValid ? 'Latencies' : 'Latencies (not valid: connections ended unannounced)';
  return [`${validity} in milliseconds, from the instant a request was due:`, [head, ...rows].join('\n')];
}

function generatorLine({ generator, offeredPerSecond, throughputPerSecond }: LoadRecord): string {
  const { verdict, reasons, lag, eventLoopUtilization, sockets } = generator;
  const parts = [
    ...(offeredPerSecond === undefined ? [] : [`offered ${offeredPerSecond.toFixed(1)}/s`]),
    `succeeded ${throughputPerSecond.toFixed(1)}/s`,
    ...(lag === undefined ? [] : [`lag p99 ${timeFigure(lag.p99)} ms`]),
    `event loop ${Math.round(eventLoopUtilization * 100)}%`,
    `sockets ${sockets.peak} of ${sockets.cap}`,
  ];
  const state =
    verdict === 'fit' ? 'fit' : `the bottleneck, ${reasons.map((reason) => plainText(reason, 500)).join('; ')}`;
  return `Generator ${state}: ${parts.join(' · ')}`;
}

function violations(record: LoadRecord): readonly string[] {
  if (record.violations.length === 0) return [];
  const items = record.violations.map(({ rule, sentence, operation, count, proofs: [proof] }) =>
    [
      `- ${codeText(rule, 160)} by ${count} answers of ${operation}: ${plainText(sentence, 500)}`,
      ...(proof === undefined
        ? []
        : [`  - Expected: ${codeText(proof.expected, 1000)}`, `  - Actual: ${codeText(proof.actual, 1000)}`]),
    ].join('\n'),
  );
  return [`### Violations: ${record.violations.length}`, ...items];
}
