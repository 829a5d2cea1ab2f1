import { shown } from '../../core/text.ts';
import type { RecordDiff, VerdictChange } from '../record/diff.ts';
import { groupOutcomes, outcomeText } from '../record/group-outcomes.ts';
import { type Paint, painter, type Tone } from '../text/paint.ts';
import type { RunRecord } from '../record/record.ts';
import { tones } from '../text/tones.ts';

/** So many of a list are shown, then their number. */
const maxListed = 100;

const titles = [
  ['worse', 'Worse', 'bad'],
  ['unclear', 'No longer known', 'doubtful'],
  ['better', 'Better', 'good'],
] as const satisfies readonly (readonly [VerdictChange['kind'], string, Tone])[];

/** What two runs, and the comparison of them, say to a reader at a terminal; the verdict is the last line. */
export function renderDiff(
  diff: RecordDiff,
  runs: readonly [before: RunRecord, after: RunRecord],
  { color }: { readonly color: boolean },
): string {
  const paint = painter(color);
  const blocks = [
    runs.map((record, index) => headline(record, index === 0 ? 'A' : 'B', paint)).join('\n'),
    ...cautions(diff, runs),
    ...titles.map(([kind, title, tone]) => changed(diff, kind, paint(tone, title), paint)),
    observed(diff, paint),
    verdictLine(diff, paint),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function headline({ target, startedAt, result }: RunRecord, name: string, paint: Paint): string {
  const text = `${target.name} · ${target.baseUrl} · ${startedAt.slice(0, 16)} · ${result}`;
  return `${paint('strong', name)}  ${shown(text, 300)}`;
}

/** What makes the two less comparable than they look. */
function cautions({ onlyBefore, onlyAfter }: RecordDiff, [before, after]: readonly [RunRecord, RunRecord]) {
  const texts = [
    ...(before.spec.digest === after.spec.digest ? [] : ['they were judged by different requirements']),
    ...(before.strict === after.strict ? [] : ['only one of them was strict about shoulds']),
    ...(onlyBefore.length === 0 ? [] : [`only A ran ${some(onlyBefore)}`]),
    ...(onlyAfter.length === 0 ? [] : [`only B ran ${some(onlyAfter)}`]),
  ];
  return texts.map((text) => `! ${text}`);
}

function some(ids: readonly string[]): string {
  const names = ids.slice(0, 5).map((id) => shown(id, 120));
  return `${names.join(', ')}${ids.length > names.length ? ` and ${ids.length - names.length} more` : ''}`;
}

function changed({ changes }: RecordDiff, kind: VerdictChange['kind'], title: string, paint: Paint): string {
  const own = changes.filter((change) => change.kind === kind);
  if (own.length === 0) return '';
  const lines = own.slice(0, maxListed).flatMap(({ before, after }) => {
    const { expected, actual, reason } = after;
    const why = expected === undefined ? reason : `expected ${expected}; got ${actual ?? 'nothing'}`;
    const verdicts = `${paint(tones[before.verdict], before.verdict)} → ${paint(tones[after.verdict], after.verdict)}`;
    return [
      `  ${verdicts}  ${shown(after.title, 300)}`,
      ...(why === undefined ? [] : [paint('faint', `    ${shown(why, 400)}`)]),
    ];
  });
  return [title, ...lines, ...rest(own.length)].join('\n');
}

function observed({ observations }: RecordDiff, paint: Paint): string {
  if (observations.length === 0) return '';
  const lines = observations
    .slice(0, maxListed)
    .flatMap(({ point, before, after }) => [
      `  ${shown(point, 80)}`,
      ...side('A', before, paint),
      ...side('B', after, paint),
    ]);
  return [paint('strong', 'Observed differently'), ...lines, ...rest(observations.length)].join('\n');
}

function side(name: string, values: readonly string[], paint: Paint): readonly string[] {
  if (values.length === 0) return [];
  const outcomes = groupOutcomes(values, (value) => value);
  const texts = outcomes.slice(0, 10).map((outcome) => shown(outcomeText(outcome, 8), 300));
  const more = outcomes.length > texts.length ? ` and ${outcomes.length - texts.length} more` : '';
  return [`    ${paint('faint', `only ${name}`)}  ${texts.join(', ')}${more}`];
}

function rest(count: number): readonly string[] {
  return count > maxListed ? [`  and ${count - maxListed} more`] : [];
}

function verdictLine({ changes, same, observations }: RecordDiff, paint: Paint): string {
  const of = (kind: VerdictChange['kind']) => changes.filter((change) => change.kind === kind).length;
  const worse = of('worse');
  const counts = `${worse} worse, ${of('better')} better, ${of('unclear')} no longer known, ${same} the same`;
  const text = `${worse > 0 ? 'Regressed' : 'No regression'}: ${counts}; ${observations.length} open points differ.`;
  return paint(worse > 0 ? 'bad' : 'good', text);
}
