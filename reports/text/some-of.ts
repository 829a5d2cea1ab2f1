/** As many texts as fit in a line, and the number of the others. */
export function someOf(texts: readonly string[], most = 150): string {
  let line = texts[0] ?? '';
  for (const [index, text] of texts.entries()) {
    if (index === 0) continue;
    if (line.length + text.length > most) return `${line} and ${texts.length - index} more`;
    line += `, ${text}`;
  }
  return line;
}
