import { type Markup, markup } from './markup.ts';

/** Sentences under a title; nothing where there are none. */
export function textList(title: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  return markup`<section class="notes"><h2>${title}</h2><ul>${texts.map((text) => markup`<li>${text}</li>`)}</ul></section>`;
}
