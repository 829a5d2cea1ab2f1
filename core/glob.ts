/** Whether a pattern fits a whole text: `*` stands for any characters, `?` for one. Never more steps than the product of their lengths. */
export function matchesGlob(pattern: string, text: string): boolean {
  let star = -1; // where the last star of the pattern stands
  let resume = 0; // the text from where that star takes one character more
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
