import {
  countTile,
  factLine,
  numberCells,
  section,
  signMarkup,
  statusAttribute,
  tableHead,
  tableSection,
  textList,
  type Tile,
  tileRow,
} from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { page } from '../../page/page.ts';
import { mainMarkup } from '../../page/parts.ts';
import { script } from '../../page/script.ts';
import { style } from '../../page/style.ts';
import { count, instant, latencyFigure, percent, rateFigure, some } from '../../text/figures.ts';
import { toneSigns } from '../../text/tones.ts';
import type { ComparisonRecord } from '../comparison-record.ts';
import type { Reading } from '../load-words.ts';
import { readingMark } from './judged-tables.ts';
import { loadStyle } from './load-style.ts';

type ComparedFigure = ComparisonRecord['figures'][number];

const headings: Readonly<Record<ComparisonRecord['verdict'], Reading>> = {
  worse: { word: 'Worse', tone: 'bad' },
  'cannot-tell': { word: 'No verdict', tone: 'doubtful' },
  'no-worse': { word: 'No worse', tone: 'good' },
};

const verdicts: Readonly<Record<ComparedFigure['verdict'], Reading>> = {
  worse: { word: 'worse', tone: 'bad' },
  'cannot-tell': { word: 'cannot tell', tone: 'doubtful' },
  'no-worse': { word: 'no worse', tone: 'good' },
  'kept-up': { word: 'both kept up', tone: 'good' },
  better: { word: 'better', tone: 'good' },
};

/** Worst first. */
const verdictOrder = ['worse', 'cannot-tell', 'no-worse', 'kept-up', 'better'] as const;

const units: Readonly<Record<NonNullable<ComparisonRecord['unit']>, string>> = {
  round: 'rounds of both builds, interleaved',
  trial: 'runs at different times, so a change of the machine looks like a change of the build',
  stretch: 'runs at different times; intervals are estimated from their seconds',
};

/** A comparison of two builds as one page that needs no other file. */
export function renderComparisonHtml(record: ComparisonRecord): string {
  const { format, suite, verdict, a, b } = record;
  const title = `${headings[verdict].word}: ${b.target.name} against ${a.target.name}`;
  const footer = markup`Made from <code>${format}</code> by ${suite.name} ${suite.version}.`;
  const main = mainMarkup({
    title,
    top: [{ name: 'heading', content: heading(record) }],
    sections: [
      { name: 'other-reasons', content: otherReasons(record) },
      { name: 'figures', content: figureTable(record) },
    ],
    footer,
  });
  return page({ title, style: style + loadStyle, script, skip: 'Skip to the figures', main, footer });
}

function heading(record: ComparisonRecord): Markup {
  const { suite, verdict, a, b } = record;
  const { word, tone } = headings[verdict];
  return markup`<header class="is-${tone}">
<p class="eyebrow">Comparison: ${b.profile}</p>
<h1>${signMarkup(toneSigns[tone])} ${word}</h1>
<p class="sentence">${record.sentence}</p></header>
${tileRow(tilesOf(record))}
${factLine([
  ['A', buildText(a)],
  ['B', buildText(b)],
  ['Compared', record.unit === undefined ? 'no usable runs' : units[record.unit]],
  ['Margin', percent(record.margin, 1)],
  ['Required', record.required.join(', ')],
  ['Confidence', `${percent(record.confidence)} of all intervals at once, which decide the verdicts`],
  ['Suite', `${suite.name} ${suite.version}`],
])}
${textList('Notes', record.notes)}`;
}

/** How many figures have each verdict: a click shows only their rows. Reasons other than speed have a tile of their own. */
function tilesOf({ figures, worse }: ComparisonRecord): readonly Tile[] {
  const counts = verdictOrder.map((status) => {
    const { word, tone } = verdicts[status];
    const name = markup`${signMarkup(toneSigns[tone])} ${word}`;
    const amount = figures.filter((figure) => figure.verdict === status).length;
    return countTile(amount, { name, className: `is-${tone}`, to: 'figures', status });
  });
  const name = markup`${signMarkup(toneSigns.bad)} other than speed`;
  const others = { name, text: count(worse.length), className: 'is-bad', to: 'other-reasons' };
  return worse.length === 0 ? counts : [others, ...counts];
}

/** What counts against B whatever its speed. */
function otherReasons({ worse }: ComparisonRecord): Markup | undefined {
  if (worse.length === 0) return undefined;
  const lead = 'These count against B, however fast it is.';
  return section(
    { id: 'other-reasons', title: 'Reasons other than speed', count: worse.length, lead },
    markup`<ul class="plain">${worse.map((text) => markup`<li class="reason">${text}</li>`)}</ul>`,
  );
}

function buildText({ target, runs, startedAt }: ComparisonRecord['a']): string {
  return `${target.name} at ${target.baseUrl}, ${some(runs, 'run')} since ${instant(startedAt)}`;
}

function figureTable({ figures, confidence }: ComparisonRecord): Markup {
  const columns = ['Verdict', 'Figure', 'A', 'B', 'B / A', `${percent(confidence)} interval`, 'Noise floor'];
  const rows = figures.map((figure) => {
    const { basis, sentence } = figure;
    const cells = [
      amount(figure, figure.a),
      amount(figure, figure.b),
      ratio(figure.ratio),
      basis === undefined ? '–' : `${ratio(basis.interval.low)} to ${ratio(basis.interval.high)}`,
      noiseFloor(figure),
    ];
    return markup`<tr${statusAttribute(figure.verdict)}><td>${readingMark(verdicts[figure.verdict])}</td>
<th scope="row">${figure.figure}<p class="note">${sentence}</p></th>
${numberCells(cells)}</tr>`;
  });
  const table = markup`${tableHead(columns, 2)}<tbody>${rows}</tbody>`;
  const lead =
    'Latency is measured from the scheduled time. The noise floor is the smallest worsening that this comparison sees.';
  return tableSection({ id: 'figures', title: 'Figures', lead }, 'judged', table);
}

function amount({ unit }: ComparedFigure, value: number | null): string {
  if (value === null) return '–';
  return unit === 'ms' ? `${latencyFigure(value)} ms` : `${rateFigure(value)}/s`;
}

/** As the terminal shows it. Twice as bad is 100% more time, but a loss of 50% of the throughput. */
function noiseFloor({ unit, basis }: ComparedFigure): string {
  const detectable = basis?.detectable ?? undefined;
  if (detectable === undefined) return '–';
  const loss = unit === 'ms' ? detectable : 1 - 1 / (1 + detectable);
  return percent(loss, loss < 0.0995 ? 1 : 0);
}

function ratio(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}
