import { isSameTime } from './instant.ts';

/**
 * Whether two parsed values are the same JSON, in any order of names. Date-times are the same if neither is later, because an
 * answer may write them with another offset than the one before. It uses a list instead of recursion, because a target
 * may nest ten thousand levels deep.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  const left: (readonly [unknown, unknown])[] = [[one, other]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b) || isSameTime(a, b) === true) continue;
    if (!isComposite(a) || !isComposite(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      left.push([Reflect.get(a, name), Reflect.get(b, name)]);
    }
  }
  return true;
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
