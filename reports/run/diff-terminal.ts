import { shown } from '../../core/text.ts';
import type { RecordDiff, VerdictChange } from '../record/diff.ts';
import { groupValues, valueText } from '../record/observed-values.ts';
import type { RunRecord } from '../record/record.ts';
import { findingText } from '../text/check-text.ts';
import { instant, some } from '../text/figures.ts';
import { listed } from '../text/some-of.ts';
import { type Paint, painter } from '../text/paint.ts';
import { checkTones, type Tone } from '../text/tones.ts';

/** Bounds each list; a last line counts the rest. */
const maxListed = 100;

const titles = [
  ['worse', 'Worse', 'bad'],
  ['unclear', 'Unclear: violated before, no verdict now', 'doubtful'],
  ['better', 'Better', 'good'],
] as const satisfies readonly (readonly [VerdictChange['kind'], string, Tone])[];

/** Two runs and their comparison for a terminal; the verdict is the last line. */
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
  const text = `${target.name} · ${target.baseUrl} · ${instant(startedAt)} · ${result}`;
  return `${paint('strong', name)}  ${shown(text, 300)}`;
}

/** Why the two are less comparable than they look. */
function cautions({ onlyBefore, onlyAfter }: RecordDiff, [before, after]: readonly [RunRecord, RunRecord]) {
  const texts = [
    ...(before.spec.digest === after.spec.digest ? [] : ['the two runs used different catalogues of requirements']),
    ...(before.strict === after.strict ? [] : ['only one of the runs used --strict']),
    ...(onlyBefore.length === 0 ? [] : [`only A ran ${listed(onlyBefore.map(shownId), 5)}`]),
    ...(onlyAfter.length === 0 ? [] : [`only B ran ${listed(onlyAfter.map(shownId), 5)}`]),
  ];
  return texts.map((text) => `! ${text}`);
}

function changed({ changes }: RecordDiff, kind: VerdictChange['kind'], title: string, paint: Paint): string {
  const own = changes.filter((change) => change.kind === kind);
  if (own.length === 0) return '';
  const lines = own.slice(0, maxListed).flatMap(({ before, after }) => {
    const why = findingText(after);
    const verdicts = [before, after].map(({ verdict }) => paint(checkTones[verdict], verdict)).join(' → ');
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
  const texts = groupValues(values, (value) => value).map((group) => shown(valueText(group, 8), 300));
  return [`    ${paint('faint', `only ${name}`)}  ${listed(texts, 10)}`];
}

function rest(count: number): readonly string[] {
  return count > maxListed ? [`  and ${count - maxListed} more`] : [];
}

function verdictLine({ changes, same, observations }: RecordDiff, paint: Paint): string {
  const of = (kind: VerdictChange['kind']) => changes.filter((change) => change.kind === kind).length;
  const worse = of('worse');
  const counts = `${worse} worse, ${of('better')} better, ${of('unclear')} unclear, ${same} unchanged`;
  const text = `${worse > 0 ? 'Regressed' : 'No regression'}: ${counts}; ${some(observations.length, 'open point differs', 'open points differ')}.`;
  return paint(worse > 0 ? 'bad' : 'good', text);
}

function shownId(id: string): string {
  return shown(id, 120);
}
