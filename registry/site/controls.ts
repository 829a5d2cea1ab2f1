import { type Markup, markup } from '../../reports/page/markup.ts';

/** A list of choices; an option is its value and its text. The first one shows everything. */
export type Select = {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
};

/** What narrows the rows of a page down. Hidden until the script shows it. */
export function controls(label: string, count: number, selects: readonly Select[]): Markup {
  const lists = selects.map(
    ({ name, label: title, options }) => markup`<label class="narrow">${title} <select name="${name}">
${options.map(([value, text]) => markup`<option value="${value}">${text}</option>`)}</select></label>`,
  );
  return markup`<form id="controls" class="controls" role="search" aria-label="${label}" hidden>
<label class="search">Search <input type="search" name="words" autocomplete="off" spellcheck="false"></label>
${lists}
<p class="note"><output id="shown" name="shown" aria-live="polite">All ${count}</output></p></form>`;
}

export const nothingFits = markup`<p id="nothing-fits" class="lead" hidden>Nothing matches.</p>`;
