import {
  factList,
  navigation,
  numberCells,
  signMarkup,
  tableHead,
  tableSection,
  textList,
} from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { page } from '../../page/page.ts';
import { style } from '../../page/style.ts';
import { instant, latencyFigure, percent, rateFigure, some } from '../../text/figures.ts';
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
  better: { word: 'better', tone: 'good' },
  worse: { word: 'worse', tone: 'bad' },
  'no-worse': { word: 'no worse', tone: 'good' },
  'cannot-tell': { word: 'cannot tell', tone: 'doubtful' },
};

const units: Readonly<Record<NonNullable<ComparisonRecord['unit']>, string>> = {
  round: 'rounds of both builds, interleaved',
  trial: 'runs at different times, so a change of the machine looks like a change of the build',
  stretch: 'runs at different times; intervals are estimated from their seconds',
};

/** A comparison of two builds as one page that needs no other file. */
export function renderComparisonHtml(record: ComparisonRecord): string {
  const { format, suite, verdict, a, b, worse } = record;
  const { word, tone } = headings[verdict];
  return page({
    title: `${word}: ${b.target.name} against ${a.target.name}`,
    style: style + loadStyle,
    skip: 'Skip to the figures',
    main: markup`<header class="is-${tone}">
<p class="eyebrow">Comparison: ${b.profile}</p>
<h1>${signMarkup(toneSigns[tone])} ${word}</h1>
<p class="sentence">${record.sentence}</p></header>
${factList([
  ['A', buildText(a)],
  ['B', buildText(b)],
  ['Compared', record.unit === undefined ? 'no usable runs' : units[record.unit]],
  ['Margin', percent(record.margin, 1)],
  ['Required', record.required.join(', ')],
  ['Confidence', `${percent(record.confidence)} of every verdict and interval`],
  ['Suite', `${suite.name} ${suite.version}`],
])}
${textList('Worse beside speed', worse)}
${textList('Notes', record.notes)}
${navigation(['figures'])}
<div id="content" tabindex="-1">${figureTable(record)}</div>`,
    footer: markup`Made from <code>${format}</code> by ${suite.name} ${suite.version}.`,
  });
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
    return markup`<tr><td>${readingMark(verdicts[figure.verdict])}</td>
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
