/** Shorter texts are made again sooner than they are found. */
const leastLength = 1024;

/** UTF-16 units of the texts that one generation holds. */
const mostLength = 4_000_000;

/**
 * A pure function of a text that remembers what it made of the latest long ones: worlds of a proof answer the same pages.
 * There are two generations: what is asked for moves to the younger, and with that full, the older is forgotten.
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
