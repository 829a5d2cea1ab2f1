import { jsonIn } from '../../core/json.ts';

/** Deeper levels are not indented further: the nesting of a body is bounded only by its length. */
const maxDepth = 12;

const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|\s+|[^"{}[\],:\s]+/gs;

/**
 * A body with a line for each field, if it is JSON or the beginning of JSON. Only spaces and line breaks change: numbers,
 * repeated names and escapes stay as they were sent.
 */
export function indentJson(text: string, isCut: boolean): string {
  if (!/^\s*[{[]/.test(text) || !(isCut || jsonIn(text) !== undefined)) return text;
  let out = '';
  let depth = 0;
  let before = '';
  for (const [piece] of text.matchAll(token)) {
    if (/^\s/.test(piece)) continue;
    const closes = piece === '}' || piece === ']';
    if (closes) depth -= 1;
    const breaks = closes ? before !== '{' && before !== '[' : before === ',' || before === '{' || before === '[';
    if (breaks) out += `\n${'  '.repeat(Math.max(0, Math.min(depth, maxDepth)))}`;
    out += piece === ':' ? ': ' : piece;
    if (piece === '{' || piece === '[') depth += 1;
    before = piece;
  }
  return out;
}
