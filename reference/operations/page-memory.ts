import type { Item } from '../data/item.ts';

type Page = { readonly texts: readonly string[]; readonly pagination: string; readonly text: string };

/** Pages that are kept of those that begin with one item. */
const pagesMost = 16;

/** By first item: worlds of the same data share their items, and most requests ask for the same few pages of them. */
const pages = new WeakMap<Item, Page[]>();

/** The JSON of a page that begins with `first`, made when it is asked for first. */
export function rememberedPage(first: Item, texts: readonly string[], pagination: string, make: () => string): string {
  let known = pages.get(first);
  if (known === undefined) {
    known = [];
    pages.set(first, known);
  }
  for (const page of known) {
    if (page.pagination === pagination && areSame(page.texts, texts)) return page.text;
  }
  const text = make();
  if (known.length >= pagesMost) known.shift();
  known.push({ texts, pagination, text });
  return text;
}

function areSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
