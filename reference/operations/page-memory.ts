import type { Item } from '../data/item.ts';

/** The JSON of a page, and its bytes once they were made. */
export type PreparedText = { readonly text: string; bytes: Uint8Array | undefined };

/** Pages that are kept of one list. */
const pagesMost = 64;

/** By list: worlds of the same data share their lists, and most requests ask for the same few pages of them. */
const pages = new WeakMap<readonly Item[], Map<string, PreparedText>>();

/** The page of that name of a list, made when it is asked for first. */
export function rememberedPage(items: readonly Item[], name: string, make: () => string): PreparedText {
  let ofList = pages.get(items);
  if (ofList === undefined) {
    ofList = new Map();
    pages.set(items, ofList);
  }
  const known = ofList.get(name);
  if (known !== undefined) return known;
  const made: PreparedText = { text: make(), bytes: undefined };
  if (ofList.size < pagesMost) ofList.set(name, made);
  return made;
}
