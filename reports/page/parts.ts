import { navigation } from './elements.ts';
import { type Markup, markup } from './markup.ts';

/** A part of a page, which a live page replaces as a whole when it changes; undefined where it has nothing to show. */
export type PagePart = { readonly name: string; readonly content: Markup | undefined };

/** What a page shows of a run, finished or in progress. */
export type Contents = {
  readonly title: string;
  /** Above the navigation. */
  readonly top: readonly PagePart[];
  /** The navigation has a link to each that shows something: the name is its anchor. */
  readonly sections: readonly PagePart[];
  readonly footer: Markup;
};

/** Every part, in the order of the page, also those that show nothing. */
export function partsOf({ top, sections }: Contents): readonly PagePart[] {
  const names = sections.filter(({ content }) => content !== undefined).map(({ name }) => name);
  return [...top, { name: 'navigation', content: navigation(names) }, ...sections];
}

/** The contents as the inside of the element `main`. */
export function mainMarkup(contents: Contents): Markup {
  const parts = partsOf(contents);
  const own = contents.sections.length;
  return markup`${parts.slice(0, -own).map(place)}
<div id="content" tabindex="-1">${parts.slice(-own).map(place)}</div>`;
}

function place({ name, content }: PagePart): Markup {
  return markup`<div class="part" data-part="${name}">${content}</div>`;
}
