/** A stretch of text, and whether the other text lacks it. */
export type Stretch = { readonly text: string; readonly differs: boolean };

/** Longer texts, in words, are not compared: the work grows with the square of the length. */
const maxWords = 600;

/** Texts that share less than this of the longer one get no marks: almost every word would have one. */
const leastShared = 0.3;

/** Both texts in stretches, by the longest common sequence of words. */
export function difference(before: string, after: string): readonly [readonly Stretch[], readonly Stretch[]] {
  const left = wordsOf(before);
  const right = wordsOf(after);
  const whole = [stretches(left, () => false), stretches(right, () => false)] as const;
  if (left.length > maxWords || right.length > maxWords) return whole;
  const { inLeft, inRight } = common(left, right);
  const longer = Math.max(...[left, right].map((words) => words.filter(isWord).length));
  const shared = left.filter((word, index) => inLeft.has(index) && isWord(word)).length;
  if (shared < longer * leastShared) return whole;
  return [stretches(left, (index) => !inLeft.has(index)), stretches(right, (index) => !inRight.has(index))];
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_.-]+|./gsu) ?? [];
}

function isWord(text: string): boolean {
  return text.trim() !== '';
}

/** The places of both texts that are in the longest common sequence. */
function common(left: readonly string[], right: readonly string[]) {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const same = left[row] === right[column];
      lengths[row * width + column] = same
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const inLeft = new Set<number>();
  const inRight = new Set<number>();
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) {
      inLeft.add(row);
      inRight.add(column);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return { inLeft, inRight };
}

/** Neighbours of one kind become one stretch. A space differs when both of its neighbours do. */
function stretches(words: readonly string[], differs: (index: number) => boolean): readonly Stretch[] {
  const found: { text: string; differs: boolean }[] = [];
  for (const [index, text] of words.entries()) {
    const isDifferent = isWord(text) ? differs(index) : differs(index - 1) && differs(index + 1);
    const last = found.at(-1);
    if (last?.differs === isDifferent) last.text += text;
    else found.push({ text, differs: isDifferent });
  }
  return found;
}
