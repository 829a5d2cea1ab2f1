/**
 * Text that is safe to show: control, formatting and bidirectional characters are escaped, and it is cut at `most` characters.
 * If it was cut before, it still says how long it was at first.
 */
export function shown(text: string, most = 200): string {
  if (text.length <= most) return visible(text);
  const [mark = '', length = String(text.length)] = /… \((\d{1,9}) characters\)$/.exec(text.slice(-longestMark)) ?? [];
  return visible(`${text.slice(0, Math.min(most, text.length - mark.length))}… (${length} characters)`);
}

/** In characters, of what {@link shown} puts behind a text that it cuts. */
const longestMark = 30;

/** The lines of a text, safe to show like {@link shown}. */
export function shownLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
  });
}

/** Any JSON value as short text, in bounded time however deep or large it is. */
export function describe(value: unknown, most = 200): string {
  return shown(render(value, 3), most);
}

function render(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 300 ? `${value.slice(0, 300)}…` : value);
  if (value === undefined) return 'no value';
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === 0) return Array.isArray(value) ? '[…]' : '{…}';
  if (Array.isArray(value)) {
    const items = value.slice(0, 5).map((item) => render(item, depth - 1));
    return `[${items.join(', ')}${value.length > 5 ? `, … ${value.length} items` : ''}]`;
  }
  const names = Object.keys(value);
  const fields = names
    .slice(0, 8)
    .map((name) => `${JSON.stringify(name.slice(0, 60))}: ${render(Reflect.get(value, name), depth - 1)}`);
  return `{${fields.join(', ')}${names.length > 8 ? ', …' : ''}}`;
}
