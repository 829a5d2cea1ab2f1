/** Shorter texts are made again sooner than they are found. */
const leastLength = 1024;

/** UTF-16 units of all texts that one memory holds. */
const mostLength = 4_000_000;

/** A pure function of a text that remembers what it made of the latest long ones: worlds of a proof answer the same pages. */
export function remembered<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>();
  let held = 0;
  return (text) => {
    if (text.length < leastLength || text.length > mostLength) return make(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    held += text.length;
    for (const [oldest] of known) {
      if (held <= mostLength) break;
      known.delete(oldest);
      held -= oldest.length;
    }
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
