/** The length of a text in code points, as JSON Schema counts: a surrogate pair is one, a lone surrogate is one too. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
    count += 1;
  }
  return count;
}

/** At most `limit` code points of the text. A text that was cut ends with an ellipsis. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Array.from(text.slice(0, 2 * limit + 2));
  return head.length <= limit ? text : `${head.slice(0, limit - 1).join('')}…`;
}
