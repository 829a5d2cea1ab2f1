/** Whether a pattern matches a whole text: `*` stands for any characters, `?` for one. Takes at most the product of both lengths in steps. */
export function matchesGlob(pattern: string, text: string): boolean {
  let star = -1; // the index of the last star in the pattern
  let resume = 0; // where in the text that star takes one more character
  let at = 0;
  let here = 0;
  while (here < text.length) {
    if (pattern[at] === '*') {
      star = at;
      resume = here;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[here])) {
      at += 1;
      here += 1;
    } else if (star >= 0) {
      resume += 1;
      here = resume;
      at = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
