import { shown } from '../../core/text.ts';
import { blockedReasons } from '../record/blocked-reasons.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { withStatus } from '../record/check-status.ts';
import { verdictSentence } from '../record/verdict-sentence.ts';
import { waiverProblems, waiverSentence } from '../record/waivers.ts';
import { findingText } from '../text/check-text.ts';
import { some } from '../text/figures.ts';

/** GitHub shows no more for a step. */
const maxAnnotations = 10;

type Annotation = { readonly kind: 'error' | 'warning' | 'notice'; readonly title: string; readonly message: string };

/**
 * A run as commands that GitHub turns into at most ten annotations, worst first. They are shown on `file`: the target file,
 * relative to the repository.
 */
export function renderGithub(record: RunRecord, file?: string): string {
  const all = annotations(record);
  const left = all.length - maxAnnotations;
  const kept = left <= 0 ? all : [...all.slice(0, maxAnnotations - 1), rest(record, left + 1)];
  return kept.map((annotation) => command(annotation, file)).join('');
}

function annotations(record: RunRecord): readonly Annotation[] {
  const { checks, problems } = record;
  return [
    ...withStatus(checks, 'failed').map((check) => annotation('error', check)),
    ...problems.map((message) => ({ kind: 'error', title: 'Fault in the suite', message }) as const),
    ...withStatus(checks, 'errored').map((check) => annotation('error', check)),
    ...waiverProblems(record).map(
      (message) => ({ kind: 'error', title: 'Waiver or accepted gap out of date', message }) as const,
    ),
    ...withStatus(checks, 'warned').map((check) => annotation('warning', check)),
    ...blockedReasons(record).map(
      ({ reason, ids }) => ({ kind: 'warning', title: some(ids.length, 'blocked check'), message: reason }) as const,
    ),
    ...withStatus(checks, 'waived').map((check) => annotation('notice', check)),
  ];
}

function annotation(kind: Annotation['kind'], check: CheckRecord): Annotation {
  const { title, waived } = check;
  const message = findingText(check) ?? '';
  return { kind, title, message: waived === undefined ? message : `${waiverSentence(waived)} ${message}` };
}

function rest(record: RunRecord, count: number): Annotation {
  const isGreen =
    ['conformant', 'conformant-with-gaps', 'waived'].includes(record.result) && waiverProblems(record).length === 0;
  const kind = isGreen ? 'warning' : 'error';
  return { kind, title: `And ${count} more`, message: `${verdictSentence(record)} The report has all of them.` };
}

/** One line. Text from the target can neither end it nor begin another command. */
function command({ kind, title, message }: Annotation, file: string | undefined): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`, 'line=1']),
    `title=${property(shown(title, 300))}`,
  ];
  return `::${kind} ${properties.join(',')}::${data(shown(message, 2000))}\n`;
}

function data(text: string): string {
  return text.replace(/[%\r\n]/g, percentEncoded);
}

function property(text: string): string {
  return text.replace(/[%\r\n:,]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
