import { shown } from '../../core/text.ts';
import { causesOf } from '../causes/causes.ts';
import { groupSentence } from '../causes/finding-groups.ts';
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
/** Bounds the checks that a change explains. */
const maxFolded = 30;

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
    ...titles.map(([kind, title, tone]) => changed(groupsOf(diff, kind, runs[1]), paint(tone, title), paint)),
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

/** Changes with one cause. */
type ChangeGroup = { readonly first: VerdictChange; readonly others: readonly VerdictChange[]; readonly note?: string };

/** The changes of a kind. Those that became worse are grouped by the causes of the later run; the others stand alone. */
function groupsOf({ changes }: RecordDiff, kind: VerdictChange['kind'], after: RunRecord): readonly ChangeGroup[] {
  const own = changes.filter((change) => change.kind === kind);
  if (kind !== 'worse') return own.map((first) => ({ first, others: [] }));
  const left = new Map(own.map((change) => [change.after.id, change]));
  const groups = causesOf(after.checks).flatMap((cause): ChangeGroup[] => {
    const ids = [cause, ...cause.consequences].flatMap(({ checks }) => checks);
    const [first, ...others] = ids.flatMap((id) => left.get(id) ?? []);
    for (const id of ids) left.delete(id);
    if (first === undefined) return [];
    const note = groupSentence({ cause, first: first.after, others: others.map((change) => change.after) });
    return [{ first, others, ...(note === undefined ? {} : { note }) }];
  });
  return [...groups, ...[...left.values()].map((first) => ({ first, others: [] }))];
}

function changed(groups: readonly ChangeGroup[], title: string, paint: Paint): string {
  if (groups.length === 0) return '';
  const lines = groups.slice(0, maxListed).flatMap(({ first: { before, after }, others, note }) => {
    const why = findingText(after);
    const verdicts = [before, after].map(({ verdict }) => paint(checkTones[verdict], verdict)).join(' → ');
    const ids =
      others.length === 0
        ? ''
        : `: ${listed(
            others.map((other) => shownId(other.after.id)),
            maxFolded,
          )}`;
    return [
      `  ${verdicts}  ${shown(after.title, 300)}`,
      ...(why === undefined ? [] : [paint('faint', `    ${shown(why, 400)}`)]),
      ...(note === undefined ? [] : [paint('faint', `    ${note}${ids}`)]),
    ];
  });
  return [title, ...lines, ...rest(groups.length)].join('\n');
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
