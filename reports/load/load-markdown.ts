import { boundedMarkdown } from '../text/bounded-markdown.ts';
import { capitalized } from '../text/capitalized.ts';
import { duration } from '../text/figures.ts';
import { codeText, plainText } from '../text/markdown-text.ts';
import { toneSigns } from '../text/tones.ts';
import { usedUpMarkdown } from '../text/used-up-markdown.ts';
import { failedTrials } from './failed-trials.ts';
import type { LoadOperationRecord, LoadRecord } from './load-record.ts';
import {
  droppedRequests,
  environmentText,
  factReadings,
  generatorFigures,
  generatorReadings,
  latencyFigures,
  phaseRows,
  type Reading,
  resultReadings,
  skippedSteps,
  thresholdAmount,
  thresholdReadings,
  violationAmount,
  whyNoPhases,
} from './load-words.ts';
import { overallName, overallRow } from './overall-row.ts';

/** A load run as Markdown for a step summary. */
export function renderLoadMarkdown(record: LoadRecord): string {
  const { target, profile, suite, seed, sentence, result, notes, thresholds, facts } = record;
  const effort = `${duration(record.measuredMs)}, seed ${seed}`;
  const judge = `${plainText(suite.name, 100)} ${plainText(suite.version, 40)}`;
  const blocks = [
    `## ${resultReadings[result].word}: ${plainText(profile.question, 500)}`,
    plainText(capitalized(sentence), 1000),
    `**${plainText(target.name, 200)}** ${codeText(target.baseUrl, 500)} · ${plainText(profile.name, 100)} · ${effort} · ${judge}`,
    ...notes.map((note) => `> ${plainText(note, 1000)}`),
    ...table(
      ['| verdict | threshold | measured | |', '| --- | --- | --: | --- |'],
      thresholds.map((threshold) => [
        signed(thresholdReadings[threshold.verdict]),
        codeText(threshold.text, 200),
        thresholdAmount(threshold),
        plainText(threshold.reason ?? '', 500),
      ]),
    ),
    ...table(
      ['| question | answer |', '| --- | --- |'],
      facts.map(({ name, value, verdict }) => [
        `${verdict === undefined ? '' : `${toneSigns[factReadings[verdict].tone]} `}${plainText(name, 200)}`,
        plainText(value, 1000),
      ]),
    ),
    ...capacityLine(record),
    ...operationTable(record),
    ...stepTable(record),
    ...phaseTable(record),
    generatorLine(record),
    ...violations(record),
    ...usedUpMarkdown(record.usedUp),
  ];
  return boundedMarkdown(blocks, 'load.json');
}

/** Nothing where there are no rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : [[...head, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')];
}

function signed({ word, tone }: Reading): string {
  return `${toneSigns[tone]} ${word}`;
}

function capacityLine({ capacity }: LoadRecord): readonly string[] {
  const failed = capacity === undefined ? undefined : failedTrials(capacity);
  return failed === undefined ? [] : [plainText(failed, 1000)];
}

function operationTable(record: LoadRecord): readonly string[] {
  const { operations, generator } = record;
  if (operations.length === 0) return [];
  const rows = operations.flatMap((one) => measureRows(one.operation, one, droppedRequests(one)));
  const overall = overallRow(record);
  const last = overall === undefined ? [] : [[overallName, overall.outcome, String(overall.count), ...overall.figures]];
  const validity = generator.latencyValid ? 'Latency' : 'Latency (not valid: connections were closed unexpectedly)';
  return [`${validity} in milliseconds, from the scheduled time:`, ...table(headOf('operation'), [...rows, ...last])];
}

function stepTable({ steps }: LoadRecord): readonly string[] {
  if (steps.length === 0) return [];
  const rows = steps.flatMap((step) => measureRows(plainText(step.name, 40), step, skippedSteps(step)));
  return ['Steps in milliseconds, from when each was due:', ...table(headOf('step'), rows)];
}

function phaseTable(record: LoadRecord): readonly string[] {
  const head = ['| phase | count | p50 | p95 | p99 | max |', '| --- | --: | --: | --: | --: | --: |'];
  const rows = table(head, phaseRows(record));
  if (rows.length === 0) return [whyNoPhases(record)].filter((line) => line !== undefined);
  return ['Time in each phase after the request was sent, in milliseconds:', ...rows];
}

function headOf(first: string): readonly string[] {
  return [`| ${first} | outcome | count | p50 | p95 | p99 | max |`, '| --- | --- | --: | --: | --: | --: | --: |'];
}

function measureRows(
  name: string,
  { outcomes }: LoadOperationRecord,
  dropped: ReturnType<typeof droppedRequests>,
): readonly (readonly string[])[] {
  return [
    ...outcomes.map(({ outcome, count, latency }) => [
      name,
      plainText(outcome, 40),
      String(count),
      ...latencyFigures(latency),
    ]),
    ...dropped.map(({ requests, why }) => [
      name,
      `dropped: ${why}`,
      String(requests),
      ...Array.from({ length: 4 }, () => ''),
    ]),
  ];
}

function generatorLine(record: LoadRecord): string {
  const { verdict, reasons, environments } = record.generator;
  const state = [generatorReadings[verdict].word, ...reasons.map((reason) => plainText(reason, 500))].join('; ');
  const machines = environments.map((one) => ` On ${plainText(environmentText(one), 300)}.`).join('');
  return `Generator ${state}: ${generatorFigures(record)}${machines === '' ? '' : `.${machines}`}`;
}

function violations(record: LoadRecord): readonly string[] {
  if (record.violations.length === 0) return [];
  const items = record.violations.map((violation) => {
    const { rule, sentence, proofs } = violation;
    const [proof] = proofs;
    return [
      `- ${codeText(rule, 160)} by ${violationAmount(violation)}: ${plainText(sentence, 500)}`,
      ...(proof === undefined
        ? []
        : [`  - expected: ${codeText(proof.expected, 1000)}`, `  - actual: ${codeText(proof.actual, 1000)}`]),
    ].join('\n');
  });
  return [`### Violations: ${record.violations.length}`, ...items];
}
