/** JSON for files, terminals and logs: control, formatting and bidirectional characters are escaped, and the mark of a log's command. */
export function safeJson(value: unknown): string {
  return `${escaped(JSON.stringify(value, null, 2))}\n`;
}

/** As {@link safeJson}, on one line. */
export function safeJsonLine(value: unknown): string {
  return `${escaped(JSON.stringify(value))}\n`;
}

function escaped(json: string): string {
  return json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?<=#)#(?=\w*\[)/gu, escape);
}

/** A character beyond the first 65,536 needs two of them. */
function escape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
