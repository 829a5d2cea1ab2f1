import fc from 'fast-check';
import { isRecord, type Path } from '../../schemas/walk.ts';

/**
 * A JSON body with one place put to another value, or taken away. The values are those at which limits
 * turn, in code points and in UTF-16 units, among others of every type.
 */
export function withOneChange(body: unknown): fc.Arbitrary<unknown> {
  const length = fc.constantFrom(0, 1, 50, 51, 100, 101, 256, 257, 10_000, 10_001);
  const text = fc.tuple(fc.constantFrom('a', 'A', '😀', '\ud800'), length).map(([unit, count]) => unit.repeat(count));
  const items = fc.tuple(fc.constantFrom<unknown>('a', 1, null), fc.constantFrom(0, 10, 11, 20, 21, 50, 51));
  const array = items.map(([item, count]) => Array.from({ length: count }, () => item));
  const dateTime = fc.constantFrom('2026-03-04T05:06:07Z', '2026-03-04T05:06', '2026-02-30T05:06:07Z');
  const value = fc.oneof(text, array, dateTime, fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }));
  return fc.tuple(fc.constantFrom(...placesOf(body, [])), value).map(([path, other]) => put(body, path, other));
}

function placesOf(value: unknown, path: Path): Path[] {
  const parts: readonly [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  return [path, ...parts.flatMap(([key, part]) => placesOf(part, [...path, key]))];
}

/** The body with the value at the path; undefined takes a field away, as in JSON. */
function put(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body)) return body.map((item, index) => (index === key ? put(item, rest, value) : item));
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).map(
    ([name, field]) => [name, name === key ? put(field, rest, value) : field] as const,
  );
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined));
}
