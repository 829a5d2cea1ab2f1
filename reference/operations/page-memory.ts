import type { Item } from '../data/item.ts';
import type { JsonObject } from '../json.ts';

/** Writes a page around its records, which are JSON texts joined by commas: a pure function. */
type PageText = (records: string, pagination: JsonObject) => string;

type Page = {
  readonly texts: readonly string[];
  readonly meta: string;
  readonly write: PageText;
  readonly text: string;
};

/** Pages that are kept of those that begin with one item. */
const pagesMost = 16;

/** By first item: worlds of the same data share their items, and most requests ask for the same few pages of them. */
const pages = new WeakMap<Item, Page[]>();

/** The JSON of a page that begins with `first`, written when it is asked for first. */
export function rememberedPage(first: Item, texts: readonly string[], pagination: JsonObject, write: PageText): string {
  let known = pages.get(first);
  if (known === undefined) {
    known = [];
    pages.set(first, known);
  }
  const meta = JSON.stringify(pagination);
  for (const page of known) {
    if (page.meta === meta && page.write === write && areSame(page.texts, texts)) return page.text;
  }
  const text = write(texts.join(','), pagination);
  if (known.length >= pagesMost) known.shift();
  known.push({ texts, meta, write, text });
  return text;
}

function areSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
