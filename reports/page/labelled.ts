import { type Markup, markup } from './markup.ts';

/** A value under its title. */
export function labelled(title: string, content: Markup): Markup {
  return markup`<div class="labelled"><h4>${title}</h4><p class="value">${content}</p></div>`;
}
