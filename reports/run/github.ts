import { outageKinds } from '../../core/outages.ts';
import { shown } from '../../core/text.ts';
import { findingGroups, groupSentence } from '../causes/finding-groups.ts';
import { blockedReasons } from '../record/blocked-reasons.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { withStatus } from '../record/check-status.ts';
import { resultWord, verdictSentence } from '../record/verdict-sentence.ts';
import { type Exception, exceptionsOf, waiverSentence } from '../record/waivers.ts';
import { capitalized } from '../text/capitalized.ts';
import { findingText, insecureSentence } from '../text/check-text.ts';
import { some } from '../text/figures.ts';

/** GitHub shows no more for a step. */
const maxAnnotations = 10;

type Annotation = {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** The place in another file that it is about. */
  readonly at?: Exception['writtenAt'];
};

/**
 * A run as commands that GitHub turns into at most ten annotations, worst first. They are shown on `file`: the target file,
 * relative to the repository, or on the waiver file that is out of date. If more than ten failures have different causes, the last
 * annotation counts the others.
 */
export function renderGithub(record: RunRecord, file?: string): string {
  const failures = failureAnnotations(record);
  const left = failures.length - maxAnnotations;
  const kept =
    left > 0
      ? [
          ...failures.slice(0, maxAnnotations - 1).map(({ annotation: shownOne }) => shownOne),
          rest(record, failures.slice(maxAnnotations - 1)),
        ]
      : [...failures.map(({ annotation: shownOne }) => shownOne), ...hints(record)].slice(0, maxAnnotations);
  return kept.map((annotation) => command(annotation, file)).join('');
}

/** An annotation, and the number of failures that it is about. */
type Failure = { readonly annotation: Annotation; readonly count: number };

const insecureWarning: Failure = {
  annotation: {
    kind: 'warning',
    title: 'TLS not verified',
    message: insecureSentence,
  },
  count: 0,
};

/** One annotation for each cause: its consequences are counted in the message. */
function failureAnnotations(record: RunRecord): readonly Failure[] {
  const insecure = record.target.insecure === true ? [insecureWarning] : [];
  const failures = findingGroups(record, 'failed').map((group): Failure => {
    const sentence = groupSentence(group);
    const { kind, title, message } = annotation('error', group.first);
    const explains = sentence === undefined ? '' : `. ${sentence}`;
    return { annotation: { kind, title, message: `${message}${explains}` }, count: 1 + group.others.length };
  });
  const faults = record.problems.map((message) => ({ kind: 'error', title: 'Bug in the suite', message }) as const);
  const errored = withStatus(record.checks, 'errored').map((check) => annotation('error', check));
  const outdated = exceptionsOf(record).flatMap(({ problem: message, writtenAt: at }) =>
    message === undefined ? [] : [{ kind: 'error', title: 'Waiver or accepted gap out of date', message, at } as const],
  );
  const gone =
    record.result === 'no-verdict'
      ? [{ kind: 'error', title: resultWord(record), message: capitalized(verdictSentence(record)) } as const]
      : [];
  return [
    ...insecure,
    ...failures,
    ...[...gone, ...faults, ...errored, ...outdated].map((one) => ({ annotation: one, count: 1 })),
  ];
}

/** What does not fail the run, where there is room. A hook is optional, so a check that lacks one is no hint. */
function hints(record: RunRecord): readonly Annotation[] {
  const reasons = blockedReasons(record).filter(({ reason, leavesMust }) => leavesMust || !lacksHook(reason));
  return [
    ...withStatus(record.checks, 'warned').map((check) => annotation('warning', check)),
    ...reasons.map(
      ({ reason, ids, leavesMust }) =>
        ({
          kind: leavesMust ? 'warning' : 'notice',
          title: some(ids.length, 'blocked check'),
          message: reason,
        }) as const,
    ),
    ...withStatus(record.checks, 'waived').map((check) => annotation('notice', check)),
  ];
}

function lacksHook(reason: string): boolean {
  return outageKinds.some((kind) => reason.includes(`hooks.${kind}`));
}

function annotation(kind: Annotation['kind'], check: CheckRecord): Annotation {
  const { title, waived } = check;
  const message = findingText(check) ?? '';
  return { kind, title, message: waived === undefined ? message : `${waiverSentence(waived)} ${message}` };
}

function rest(record: RunRecord, left: readonly Failure[]): Annotation {
  const count = left.reduce((sum, failure) => sum + failure.count, 0);
  const title = `And ${some(count, 'more failure')}`;
  return { kind: 'error', title, message: `${verdictSentence(record)} The report has all of them.` };
}

/** One line. Text from the target can neither end it nor begin another command. */
function command({ kind, title, message, at }: Annotation, target: string | undefined): string {
  const place = at ?? (target === undefined ? undefined : { file: target, line: 1 });
  const properties = [
    ...(place === undefined ? [] : [`file=${property(shown(place.file, 1000))}`, `line=${place.line}`]),
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
