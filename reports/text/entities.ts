/** Replaces what the pattern finds by character references, which HTML, XML and Markdown all read. */
export function entities(text: string, pattern: RegExp): string {
  return text.replace(pattern, (character) => `&#${character.charCodeAt(0)};`);
}
