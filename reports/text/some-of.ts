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

/** The first names in one line, and how many more there are. */
export function listed(names: readonly string[], most = 8): string {
  const first = names.slice(0, most).join(', ');
  return names.length > most ? `${first} and ${names.length - most} more` : first;
}
