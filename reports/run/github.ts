import { shown } from '../../core/text.ts';
import { blockedReasons } from '../record/blocked-reasons.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { type Standing, standingOf } from '../record/standing.ts';
import { verdictSentence } from '../record/verdict-sentence.ts';
import { waiverProblems } from '../record/waiver-problem.ts';
import { waiverSentence } from '../record/waiver-sentence.ts';

/** GitHub shows no more of a step. */
const maxAnnotations = 10;

type Annotation = { readonly kind: 'error' | 'warning' | 'notice'; readonly title: string; readonly message: string };

/**
 * A run as commands that GitHub turns into annotations, at most ten: what failed, what came to no verdict, what warned, what
 * was blocked, what is waived, in that order. `file` is what they are shown on: the target file, relative to the repository.
 */
export function renderGithub(record: RunRecord, file?: string): string {
  const all = annotations(record);
  const left = all.length - maxAnnotations;
  const some = left <= 0 ? all : [...all.slice(0, maxAnnotations - 1), rest(record, left + 1)];
  return some.map((annotation) => command(annotation, file)).join('');
}

function annotations(record: RunRecord): readonly Annotation[] {
  const { checks, problems } = record;
  const of = (standing: Standing) => checks.filter((check) => standingOf(check) === standing);
  return [
    ...of('failed').map((check) => annotation('error', check)),
    ...problems.map((message) => ({ kind: 'error', title: 'Fault of the suite', message }) as const),
    ...of('errored').map((check) => annotation('error', check)),
    ...waiverProblems(record).map((message) => ({ kind: 'error', title: 'Waiver out of date', message }) as const),
    ...of('warned').map((check) => annotation('warning', check)),
    ...blockedReasons(record).map(({ reason, ids }): Annotation => {
      const title = ids.length === 1 ? 'Not exercised' : `${ids.length} not exercised`;
      return { kind: 'warning', title, message: reason };
    }),
    ...of('waived').map((check) => annotation('notice', check)),
  ];
}

function annotation(kind: Annotation['kind'], check: CheckRecord): Annotation {
  const { title, expected, actual, reason, waived } = check;
  const compared = expected === undefined ? undefined : `expected ${expected}; got ${actual ?? 'nothing'}`;
  const message = compared ?? reason ?? '';
  return { kind, title, message: waived === undefined ? message : `${waiverSentence(waived)} ${message}` };
}

function rest(record: RunRecord, count: number): Annotation {
  const isGreen = (record.result === 'conformant' || record.result === 'waived') && waiverProblems(record).length === 0;
  const kind = isGreen ? 'warning' : 'error';
  return { kind, title: `And ${count} more`, message: `${verdictSentence(record)} The report has all of it.` };
}

/** One line; what came from the target can neither end it nor begin another command. */
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
