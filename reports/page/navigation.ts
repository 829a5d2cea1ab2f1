import { type Markup, markup } from './markup.ts';

/** Links to the sections of a page, by their anchors. */
export function navigation(names: readonly string[]): Markup {
  const links = names.map((name) => markup`<li><a href="#${name}">${name}</a></li>`);
  return markup`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}
