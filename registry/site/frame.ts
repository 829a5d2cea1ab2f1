import { mark } from '../../reports/page/elements.ts';
import { type Markup, markup } from '../../reports/page/markup.ts';
import { page } from '../../reports/page/page.ts';
import { style } from '../../reports/page/style.ts';
import { type Entry, validity } from './entry.ts';

/** A page of a site: its path from the root, and its text. */
export type SiteFile = { readonly path: string; readonly text: string };

const ownStyle = `
.site-links a { text-transform: none; }
.cells th[scope=row] { min-width: 13rem; }
.cells td, .cells thead th { min-width: 8.5rem; white-space: normal; }
.cells .area th, .cells .area td { background: var(--code); }
.cells .requirement-row th .note { font-weight: 400; display: block; }
.cells .differs td { border-bottom-color: var(--doubt); }
.controls .narrow { flex: 0 1 12rem; }
@media (min-width: 44rem) {
  .cells th[scope=row] { position: sticky; left: 0; background: var(--card); max-width: 22rem; }
  .cells .area th[scope=row] { background: var(--code); }
}
.history td, .history th { white-space: nowrap; }
`;

/** The pages that each page links to, and their titles. */
const sitePages = [
  ['index.html', 'Products'],
  ['requirements.html', 'Requirements'],
  ['choices.html', 'Choices'],
] as const;

type Framed = {
  readonly path: string;
  readonly title: string;
  readonly eyebrow: string;
  /** Colours the heading: a class of the style of pages. */
  readonly tone: string;
  readonly sentence: Markup | string;
  readonly content: Markup | readonly Markup[];
  readonly builtOn: string;
};

/** A page with the heading and the links of the site. It finds the others by relative links. */
export function sitePage({ path, title, eyebrow, tone, sentence, content, builtOn }: Framed): SiteFile {
  const root = '../'.repeat(path.split('/').length - 1);
  const links = sitePages.map(([href, name]) => {
    const current = href === path ? markup` aria-current="page"` : undefined;
    return markup`<li><a href="${root}${href}"${current}>${name}</a></li>`;
  });
  const text = page({
    title: `${title} – certified implementations`,
    style: `${style}${ownStyle}`,
    script,
    skip: 'Skip to the content',
    main: markup`<header class="${tone}"><p class="eyebrow">${eyebrow}</p>
<h1>${title}</h1><p class="sentence">${sentence}</p></header>
<nav aria-label="Site" class="site-links"><ul>${links}</ul></nav>
<div id="content" tabindex="-1">${content}</div>`,
    footer: markup`Built on ${builtOn}. A certificate shows what its vendor signed; the policy of the registry says what it proves and what it does not.`,
  });
  return { path, text };
}

/** Whether a certificate is valid, as a coloured word. */
export function validityMark(entry: Entry): Markup {
  const sign = { valid: '✓', unjudged: '?', expired: '–' }[entry.state];
  return mark(toneOf(entry), sign, validity(entry));
}

/** The class that colours what is about a certificate. */
export function toneOf({ state }: Entry): string {
  return { valid: 'is-good', unjudged: 'is-doubtful', expired: 'is-idle' }[state];
}

/** Filters rows by words and choices, and compares two columns. Without scripts the pages show everything. */
const script = `'use strict';
const controls = document.getElementById('controls');
const rows = [...document.querySelectorAll('[data-row]')];
function narrow() {
  const wanted = new FormData(controls);
  const words = wanted.get('words').toLowerCase().split(/\\s+/);
  const columns = wanted.getAll('column').filter((name) => name !== '');
  for (const cell of document.querySelectorAll('[data-column]')) {
    cell.hidden = columns.length > 0 && !columns.includes(cell.dataset.column);
  }
  const filters = [...wanted].filter(([name, value]) => value !== '' && name !== 'words' && name !== 'column');
  let count = 0;
  for (const row of rows) {
    if (row.dataset.differs !== undefined) {
      const values = [...row.querySelectorAll('[data-column]:not([hidden])')].map((cell) => cell.dataset.value);
      row.dataset.differs = new Set(values).size > 1 ? 'yes' : 'no';
      row.querySelector('.difference').hidden = row.dataset.differs === 'no';
    }
    const text = row.textContent.toLowerCase();
    row.hidden = !(filters.every(([name, value]) => row.dataset[name] === value) && words.every((word) => text.includes(word)));
    if (!row.hidden) count += 1;
  }
  for (const group of document.querySelectorAll('[data-group]')) {
    group.hidden = group.querySelector('[data-row]:not([hidden])') === null;
  }
  document.getElementById('nothing-fits').hidden = count > 0;
  document.getElementById('shown').textContent = count === rows.length ? 'All ' + rows.length : count + ' of ' + rows.length;
}
if (controls !== null) {
  controls.hidden = false;
  controls.addEventListener('input', narrow);
  controls.addEventListener('submit', (event) => event.preventDefault());
}
`;
