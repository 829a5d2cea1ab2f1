import type { z } from 'zod';
import { endOfString, isBeforeColon, jsonIn } from '../../core/json.ts';
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
  const value = jsonIn(text);
  if (value === undefined) throw new Malformed(`${what} is not JSON`);
  return value;
}

/** The same, of a schema. */
export function readStrictJson<Value>(schema: z.ZodType<Value>, text: string, what: string, mostItems?: number): Value {
  const parsed = schema.safeParse(parseStrictJson(text, what, mostItems));
  if (!parsed.success) throw new Malformed(`${what} does not match its schema`);
  return parsed.data;
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
      if (scope !== undefined && isBeforeColon(text, end)) {
        const name = decoded(text.slice(at, end));
        if (scope.has(name)) throw new Malformed(`${what} has the name ${shown(name, 80)} twice in one object`);
        scope.add(name);
      }
      at = end - 1;
    }
  }
}

/** Resolves escapes, so that an escape and its character give the same name. */
function decoded(quoted: string): string {
  return String(jsonIn(quoted) ?? quoted);
}
