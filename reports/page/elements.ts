import { count } from '../text/figures.ts';
import { type Markup, markup } from './markup.ts';

/** A value under its title. */
export function labelled(title: string, content: Markup | string): Markup {
  return markup`<div class="labelled"><h4>${title}</h4><p class="value">${content}</p></div>`;
}

/** Links to the sections of a page, by their anchors. */
export function navigation(names: readonly string[]): Markup {
  const links = names.map((name) => markup`<li><a href="#${name}">${name.replaceAll('-', ' ')}</a></li>`);
  return markup`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}

type Section = {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  readonly lead?: Markup | string;
  /** A tile with this status shows the section, one with another status hides it. */
  readonly status?: string;
};

export function section(
  { id, title, count: amount, lead, status }: Section,
  content: Markup | readonly Markup[],
): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"${statusAttribute(status)}>
<h2 id="${id}-title">${title}${amount === undefined ? undefined : markup` <span class="count">${amount}</span>`}</h2>
${lead === undefined ? undefined : markup`<p class="lead">${lead}</p>`}
${content}</section>`;
}

/** Whether a tile with a status shows or hides an element; the script of the page reads it. */
export function statusAttribute(status: string | undefined): Markup | undefined {
  return status === undefined ? undefined : markup` data-status="${status}"`;
}

export type Tile = {
  readonly text: string;
  readonly unit?: string;
  readonly name: Markup | string;
  /** Decides the colour, such as `is-bad`. */
  readonly className?: string;
  /** The anchor of what the figure is from or counts. */
  readonly to?: string;
  /** A click shows only what has this status. */
  readonly status?: string;
};

/** Figures of the heading side by side, each large. */
export function tileRow(tiles: readonly Tile[]): Markup | undefined {
  return tileList('tiles', tiles);
}

/** The same in less room. */
export function smallTileRow(tiles: readonly Tile[]): Markup | undefined {
  return tileList('tiles small', tiles);
}

function tileList(className: string, tiles: readonly Tile[]): Markup | undefined {
  return tiles.length === 0 ? undefined : markup`<div class="${className}">${tiles.map(tile)}</div>`;
}

function tile({ text, unit = '', name, className = '', to, status }: Tile): Markup {
  const classes = className === '' ? 'tile' : `tile ${className}`;
  const inside = markup`<b>${text}${unit === '' || text === '–' ? undefined : markup` <small>${unit}</small>`}</b> <span>${name}</span>`;
  if (to === undefined) return markup`<span class="${classes}">${inside}</span>`;
  return markup`<a class="${classes}"${statusAttribute(status)} href="#${to}">${inside}</a>`;
}

/** A tile that counts what has a status and shows only that; without a link where there is none. */
export function countTile(amount: number, tile: Pick<Tile, 'name' | 'className' | 'to' | 'status'>): Tile {
  const { name } = tile;
  const text = count(amount);
  return amount === 0 ? { name, text, className: 'none' } : { ...tile, text };
}

/** Sentences under a title; nothing where there are none. */
export function textList(title: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  return markup`<section class="notes"><h2>${title}</h2><ul>${texts.map((text) => markup`<li>${text}</li>`)}</ul></section>`;
}

type Facts = readonly (readonly [name: string, value: string | undefined])[];

/** Names and values side by side; an undefined value leaves its name out. */
export function factList(rows: Facts): Markup {
  return facts('facts', rows);
}

/** The same in a line or two, for the first screen. */
export function factLine(rows: Facts): Markup {
  return facts('facts brief', rows);
}

function facts(className: string, rows: Facts): Markup {
  const items = rows.map(([name, value]) =>
    value === undefined ? markup`` : markup`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  );
  return markup`<dl class="${className}">${items}</dl>`;
}

/** A table that scrolls by itself where it is wider than the page. `labelledBy` is the id of its title. */
export function wideTable(labelledBy: string, className: string, content: Markup): Markup {
  return markup`<div class="wide" tabindex="0" role="group" aria-labelledby="${labelledBy}"><table class="${className}">${content}</table></div>`;
}

/** A section that holds one such table. */
export function tableSection(heading: Section, className: string, content: Markup): Markup {
  return section(heading, wideTable(`${heading.id}-title`, className, content));
}

/** A head row; `numbers` says from which column on the values are numbers. */
export function tableHead(names: readonly string[], numbers = Infinity): Markup {
  const cells = names.map((name, index) =>
    index >= numbers ? markup`<th scope="col" class="number">${name}</th>` : markup`<th scope="col">${name}</th>`,
  );
  return markup`<thead><tr>${cells}</tr></thead>`;
}

export function numberCells(figures: readonly string[]): readonly Markup[] {
  return figures.map((figure) => markup`<td class="number">${figure}</td>`);
}

/** A block of text that keeps its lines and can be scrolled with the keyboard. */
export function longText(label: string, text: Markup): Markup {
  return markup`<pre class="long" tabindex="0" role="group" aria-label="${label}">${text}</pre>`;
}

/** A longer list is folded. */
const longest = 10;

type Folded = {
  /** What it is a list of. */
  readonly label: string;
  /** Selects what the filter shows or hides. */
  readonly rows: string;
  readonly length: number;
  readonly summary: string;
};

/** A list with a filter above it, folded if it is long. The script of the page makes the filter visible. */
export function foldedList({ label, rows, length, summary }: Folded, content: Markup | readonly Markup[]): Markup {
  return markup`<form class="controls" data-filters="${rows}" role="search" aria-label="${label}" hidden>
<label class="search">Search <input type="search" name="words" autocomplete="off" spellcheck="false"></label></form>
<details class="group"${length > longest ? undefined : markup` open`}><summary>${summary}</summary>
${content}</details>`;
}

/** The same for a list that is rarely long: only then with a filter. */
export function foldedIfLong(list: Folded, content: Markup | readonly Markup[]): Markup {
  return list.length > longest ? foldedList(list, content) : markup`${content}`;
}

export type BarPart = { readonly className?: string; readonly from: number; readonly share: number };

/** Shares of a whole as a bar. Other text holds the numbers, so screen readers skip it. */
export function bar(parts: readonly BarPart[]): Markup {
  const rects = parts.map(
    ({ className = '', from, share }) =>
      markup`<rect class="${className}" x="${(from * 100).toFixed(2)}" width="${(share * 100).toFixed(2)}" height="1"/>`,
  );
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}

/** A coloured word with its sign; the class decides the colour. Screen readers skip the sign. */
export function mark(className: string, sign: string, word: string): Markup {
  return markup`<span class="mark ${className}">${signMarkup(sign)} ${word}</span>`;
}

export function signMarkup(sign: string): Markup {
  return markup`<span class="sign" aria-hidden="true">${sign}</span>`;
}
