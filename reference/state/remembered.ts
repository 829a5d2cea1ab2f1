/** Making a shorter text again is faster than finding it. */
const leastLength = 512;

/** How many UTF-16 units the texts of one generation have at most. */
const mostLength = 4_000_000;

/**
 * Caches a pure function for the latest long texts, because the worlds of a proof answer the same pages. There are two
 * generations: a used entry moves to the younger one, and when that is full, the older one is dropped.
 */
export function remembered<Made>(make: (text: string) => Made): (text: string) => Made {
  let young = new Map<string, Made>();
  let old = young;
  let held = 0;
  return (text) => {
    if (text.length < leastLength || text.length > mostLength) return make(text);
    const known = young.get(text);
    if (known !== undefined) return known;
    const made = old.get(text) ?? make(text);
    held += text.length;
    if (held > mostLength) {
      old = young;
      young = new Map();
      held = text.length;
    }
    young.set(text, made);
    return made;
  };
}
