import { type Markup, markup } from '../../page/markup.ts';

/** A table of figures: what each row is about stands first, and the rest to the right. */
export function dataTable(head: readonly string[], rows: readonly (readonly string[])[]): Markup {
  const columns = head.map((name, index) => markup`<th scope="col"${index === 0 ? undefined : number}>${name}</th>`);
  const lines = rows.map(
    ([first = '', ...values]) =>
      markup`<tr><th scope="row">${first}</th>${values.map((value) => markup`<td${number}>${value}</td>`)}</tr>`,
  );
  return markup`<table class="data"><thead><tr>${columns}</tr></thead><tbody>${lines}</tbody></table>`;
}

const number = markup` class="number"`;
