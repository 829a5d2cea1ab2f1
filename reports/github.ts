import { shown } from '../harness/text.ts';
import { blockedReasons } from './blocked-reasons.ts';
import type { CheckRecord, RunRecord } from './record.ts';
import { verdictSentence } from './verdict-sentence.ts';

/** GitHub shows no more of a step. */
const maxAnnotations = 10;

type Annotation = { readonly kind: 'error' | 'warning'; readonly title: string; readonly message: string };

/**
 * A run as commands that GitHub turns into annotations, at most ten: what failed, what came to no verdict, what warned, what
 * was blocked, in that order. `file` is what they are shown on: the target file, relative to the repository.
 */
export function renderGithub(record: RunRecord, file?: string): string {
  const all = annotations(record);
  const left = all.length - maxAnnotations;
  const some = left <= 0 ? all : [...all.slice(0, maxAnnotations - 1), rest(record, left + 1)];
  return some.map((annotation) => command(annotation, file)).join('');
}

function annotations(record: RunRecord): readonly Annotation[] {
  const { checks, problems } = record;
  const of = (verdict: CheckRecord['verdict']) => checks.filter((check) => check.verdict === verdict);
  return [
    ...of('failed').map((check) => annotation('error', check)),
    ...problems.map((message) => ({ kind: 'error', title: 'Fault of the suite', message }) as const),
    ...of('errored').map((check) => annotation('error', check)),
    ...of('warned').map((check) => annotation('warning', check)),
    ...blockedReasons(record).map(({ reason, ids }): Annotation => {
      const title = ids.length === 1 ? 'Not exercised' : `${ids.length} not exercised`;
      return { kind: 'warning', title, message: reason };
    }),
  ];
}

function annotation(kind: Annotation['kind'], { title, expected, actual, reason }: CheckRecord): Annotation {
  const compared = expected === undefined ? undefined : `expected ${expected}; got ${actual ?? 'nothing'}`;
  return { kind, title, message: compared ?? reason ?? '' };
}

function rest(record: RunRecord, count: number): Annotation {
  const kind = record.result === 'conformant' ? 'warning' : 'error';
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
