import { section, tableHead, wideTable } from '../../reports/page/elements.ts';
import { type Markup, markup } from '../../reports/page/markup.ts';
import { verdictMark } from '../../reports/run/page/verdict-mark.ts';
import { some } from '../../reports/text/figures.ts';
import { catalogueByArea } from '../../spec/catalogue.ts';
import { openPoints } from '../../spec/open-points.ts';
import { type Entry, folderOfEntry, type Product, productName } from './entry.ts';
import { type SiteFile, sitePage, validityMark } from './frame.ts';

const states: Select = {
  name: 'state',
  label: 'State',
  options: [
    ['valid', 'valid'],
    ['unjudged', 'not judged again'],
    ['expired', 'expired'],
  ],
};

/** The first page: every product with its latest certificate. */
export function productsPage(products: readonly Product[], builtOn: string): SiteFile {
  const vendors = [...new Set(products.map(({ latest }) => latest.submission.vendor))];
  const rows = products.map(({ latest, versions }) => {
    const { submission, day, revision, state } = latest;
    const older = versions.length - 1;
    return markup`<tr data-row data-state="${state}" data-vendor="${submission.vendor}">
<th scope="row"><a href="${folderOfEntry(latest)}/index.html">${submission.vendor} ${submission.product}</a></th>
<td>${submission.version}${older === 0 ? undefined : markup` <span class="note">and ${some(older, 'earlier version')}</span>`}</td>
<td>${revision}</td><td>${day}</td><td>${validityMark(latest)}</td></tr>`;
  });
  const byVendor: Select = {
    name: 'vendor',
    label: 'Vendor',
    options: vendors.map((vendor) => [vendor, vendor] as const),
  };
  const head = tableHead(['Product', 'Version', 'Revision', 'Date', 'Certificate']);
  return sitePage({
    path: 'index.html',
    title: 'Certified implementations',
    eyebrow: 'Registry',
    tone: 'is-good',
    sentence: `${some(products.length, 'product')} of ${some(vendors.length, 'vendor')}. ${howJudged(products)}`,
    builtOn,
    content: section(
      { id: 'products', title: 'Products', count: products.length },
      markup`${controls('Products', products.length, [byVendor, states])}
${wideTable('products-title', 'products', markup`${head}<tbody>${rows}</tbody>`)}${nothingFits}`,
    ),
  });
}

/** How many certificates were judged again, and how many only another version of the suite can judge again. */
function howJudged(products: readonly Product[]): string {
  const certificates = products.flatMap(({ versions }) => versions);
  const judged = certificates.filter(({ isJudged }) => isJudged).length;
  const others = certificates.length - judged;
  return [
    `Judged again from the answers in them: ${some(judged, 'certificate')}.`,
    ...(others === 0
      ? []
      : [`Only signed and whole, and judged by other versions of the suite: ${some(others, 'certificate')}.`]),
  ].join(' ');
}

/** The areas and requirements, and what became of each in every product. */
export function requirementsPage(products: readonly Product[], builtOn: string): SiteFile {
  const entries = products.map(({ latest }) => latest);
  const areas = Object.entries(catalogueByArea);
  const count = areas.reduce((sum, [, requirements]) => sum + requirements.length, 0);
  const groups = areas.map(([area, requirements]) => {
    const cells = entries.map((entry) => {
      const verdicts = requirements.map(({ id }) => entry.verdicts.get(id));
      const judged = verdicts.filter((verdict) => verdict !== undefined && verdict !== 'unobservable');
      const passed = judged.filter((verdict) => verdict === 'passed').length;
      return markup`<td data-column="${keyOf(entry)}"><a href="${folderOfEntry(entry)}/${area}.html">${passed} of ${judged.length}</a></td>`;
    });
    const rows = requirements.map(
      ({
        id,
        level,
        sentence,
      }) => markup`<tr class="requirement-row" data-row data-area="${area}" data-level="${level}">
<th scope="row"><code>${id}</code> <span class="note">${level}. ${sentence}</span></th>
${entries.map((entry) => verdictCell(entry, area, id))}</tr>`,
    );
    return markup`<tbody data-group><tr class="area"><th scope="row">${area}</th>${cells}</tr>${rows}</tbody>`;
  });
  const filters: readonly Select[] = [
    { name: 'area', label: 'Area', options: areas.map(([area]) => [area, area] as const) },
    {
      name: 'level',
      label: 'Level',
      options: [
        ['must', 'must'],
        ['should', 'should'],
      ],
    },
    columnSelect('Product', entries),
  ];
  return sitePage({
    path: 'requirements.html',
    title: 'Requirements',
    eyebrow: 'Registry',
    tone: 'is-good',
    sentence:
      'What became of each requirement in the latest certificate of each product. A mark leads to its evidence.',
    builtOn,
    content: section(
      { id: 'requirements', title: 'Requirements', count },
      markup`${controls('Requirements', count, filters)}
${wideTable('requirements-title', 'cells', markup`${columnHead('Requirement', entries)}${groups}`)}${nothingFits}`,
    ),
  });
}

function verdictCell(entry: Entry, area: string, id: string): Markup {
  const verdict = entry.verdicts.get(id);
  const column = keyOf(entry);
  if (verdict === undefined)
    return markup`<td data-column="${column}"><span class="note">not in revision ${entry.revision}</span></td>`;
  return markup`<td data-column="${column}"><a href="${folderOfEntry(entry)}/${area}.html#${id}">${verdictMark(verdict)}</a></td>`;
}

/** What each product does where the specification leaves a choice. */
export function choicesPage(products: readonly Product[], builtOn: string): SiteFile {
  const entries = products.map(({ latest }) => latest);
  const points = openPoints.filter(({ point }) => entries.some(({ choices }) => choices.get(point)?.length));
  const rows = points.map(({ point, sentence }) => {
    const values = entries.map(({ choices }) => JSON.stringify(choices.get(point) ?? []));
    const differs = new Set(values).size > 1;
    const cells = entries.map((entry, index) => choiceCell(entry, point, values[index] ?? ''));
    return markup`<tr data-row data-differs="${differs ? 'yes' : 'no'}"><th scope="row"><code>${point}</code>
<span class="difference"${differs ? undefined : markup` hidden`}>${differenceMark}</span><p class="note">${sentence}</p></th>${cells}</tr>`;
  });
  const filters: readonly Select[] = [
    {
      name: 'differs',
      label: 'Points',
      options: [
        ['yes', 'where they differ'],
        ['no', 'where they agree'],
      ],
    },
    columnSelect('Product', entries),
    columnSelect('Compared with', entries),
  ];
  return sitePage({
    path: 'choices.html',
    title: 'Choices',
    eyebrow: 'Registry',
    tone: 'is-doubtful',
    sentence:
      'What each product does where the specification leaves a choice. None of this is judged, but a client meets all of it.',
    builtOn,
    content: section(
      { id: 'choices', title: 'Open points', count: rows.length },
      markup`${controls('Open points', rows.length, filters)}
${wideTable('choices-title', 'cells', markup`${columnHead('Open point', entries)}<tbody>${rows}</tbody>`)}${nothingFits}`,
    ),
  });
}

const differenceMark = markup`<span class="mark is-doubtful"><span class="sign" aria-hidden="true">≠</span> differs</span>`;

function choiceCell(entry: Entry, point: string, value: string): Markup {
  const values = entry.choices.get(point) ?? [];
  const items = values.map((text) => markup`<li class="value">${text}</li>`);
  const content =
    items.length === 0
      ? markup`<span class="note">not observed</span>`
      : markup`<ul class="plain values">${items}</ul>`;
  return markup`<td data-column="${keyOf(entry)}" data-value="${value}">${content}</td>`;
}

function columnHead(first: string, entries: readonly Entry[]): Markup {
  const cells = entries.map(
    (entry) =>
      markup`<th scope="col" data-column="${keyOf(entry)}"><a href="${folderOfEntry(entry)}/index.html">${productName(entry.submission)}</a>${entry.isJudged ? undefined : markup` <span class="note">not judged again</span>`}</th>`,
  );
  return markup`<thead><tr><th scope="col">${first}</th>${cells}</tr></thead>`;
}

function columnSelect(label: string, entries: readonly Entry[]): Select {
  return { name: 'column', label, options: entries.map((entry) => [keyOf(entry), productName(entry.submission)]) };
}

function keyOf({ place }: Entry): string {
  return `${place.vendor}/${place.product}`;
}

/** A list of choices; an option is its value and its text. Another one before them shows everything. */
type Select = {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
};

/** What narrows the rows of a page down. Hidden until the script shows it. */
function controls(label: string, count: number, selects: readonly Select[]): Markup {
  const lists = selects.map(
    ({ name, label: title, options }) => markup`<label class="narrow">${title} <select name="${name}">
<option value="">all</option>${options.map(([value, text]) => markup`<option value="${value}">${text}</option>`)}</select></label>`,
  );
  return markup`<form id="controls" class="controls" role="search" aria-label="${label}" hidden>
<label class="search">Search <input type="search" name="words" autocomplete="off" spellcheck="false"></label>
${lists}
<p class="note"><output id="shown" name="shown" aria-live="polite">All ${count}</output></p></form>`;
}

const nothingFits = markup`<p id="nothing-fits" class="lead" hidden>Nothing matches.</p>`;
