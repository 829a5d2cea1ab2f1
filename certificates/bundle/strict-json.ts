import { shown } from '../../core/text.ts';
import { Malformed } from './bundle.ts';

/** The deepest nesting, and the most members and items in all, of a file of a bundle. */
const maxDepth = 24;
const maxItems = 1_000_000;

/**
 * Parses JSON that every reader understands alike: it refuses a name that occurs twice in an object, because readers differ
 * in which one they take. Throws Malformed, with `what` for the file and the place.
 */
export function parseStrictJson(text: string, what: string, mostItems = maxItems): unknown {
  inspect(text, what, mostItems);
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new Malformed(`${what} is not JSON`);
  }
}

/** Throws for depth, size and repeated names before the text, which may be hostile, is parsed. */
function inspect(text: string, what: string, mostItems: number): void {
  const scopes: Set<string>[] = [];
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      scopes.push(new Set());
      if (scopes.length > maxDepth) throw new Malformed(`${what} nests deeper than ${maxDepth} levels`);
    } else if (character === '}' || character === ']') {
      scopes.pop();
    } else if (character === ',') {
      items += 1;
      if (items > mostItems) throw new Malformed(`${what} holds more than ${mostItems} items`);
    } else if (character === '"') {
      const end = endOfString(text, at);
      const scope = scopes.at(-1);
      if (scope !== undefined && isName(text, end)) {
        const name = decoded(text.slice(at, end));
        if (scope.has(name)) throw new Malformed(`${what} has the name ${shown(name, 80)} twice in one object`);
        scope.add(name);
      }
      at = end - 1;
    }
  }
}

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

function isName(text: string, from: number): boolean {
  let at = from;
  while (/[ \t\r\n]/.test(text.charAt(at))) at += 1;
  return text[at] === ':';
}

/** Resolves escapes, so that an escape and its character give the same name. */
function decoded(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
