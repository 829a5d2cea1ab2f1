import type { Item } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';

/** Writes a page around its records, which are JSON texts joined by commas: a pure function. */
type PageText = (records: string, pagination: JsonObject) => string;

type Page = { readonly texts: readonly string[]; readonly write: PageText; readonly text: string };

/** How many pages are kept that begin with one item. */
const pagesMost = 128;

/**
 * By first item, then by length and pagination. Worlds with the same data share their items, and most requests ask for the
 * same few pages.
 */
const pages = new WeakMap<Item, Map<string, Page>>();

/** The JSON of a page that begins with `first`, written on first use. */
export function rememberedPage(first: Item, texts: readonly string[], pagination: JsonObject, write: PageText): string {
  const begun = pages.get(first) ?? new Map<string, Page>();
  pages.set(first, begun);
  const name = `${texts.length} ${JSON.stringify(pagination)}`;
  const known = begun.get(name);
  if (known?.write === write && areSame(known.texts, texts)) return known.text;
  const text = write(texts.join(','), pagination);
  if (begun.size >= pagesMost) begun.clear();
  begun.set(name, { texts, write, text });
  return text;
}

function areSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
