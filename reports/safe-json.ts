/** JSON for files and for terminals: what a terminal would obey, or what turns text around, stands in it as an escape. */
export function safeJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapes)}\n`;
}

/** A character beyond the first 65,536 needs two of them. */
function escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
