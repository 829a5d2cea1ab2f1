import { isDeepStrictEqual } from 'node:util';
import { at, stringAt } from '../core/json.ts';
import { describe, shown } from '../core/text.ts';

/** The most differences to name. */
const maxNamed = 8;

/** The differences between expected and found JSON, one sentence for each place, beginning with `what`. */
export function differences(what: string, should: unknown, found: unknown): readonly string[] {
  const named: string[] = [];

  function compare(one: unknown, other: unknown, place: string): void {
    if (named.length > maxNamed) return;
    const [names, otherNames] = [namesOf(one), namesOf(other)];
    if (names === undefined || otherNames === undefined || Array.isArray(one) !== Array.isArray(other)) {
      if (!Object.is(one, other)) {
        named.push(`${what}: ${place} is ${describe(other, 120)} and should be ${describe(one, 120)}`);
      }
      return;
    }
    const ids = idsOf(one);
    const otherIds = idsOf(other);
    if (ids !== undefined && otherIds !== undefined && !isDeepStrictEqual(ids, otherIds)) {
      named.push(`${what}: ${place} ${orderOrMembers(ids, otherIds)}`);
      return;
    }
    const [expected, given] = [new Set(names), new Set(otherNames)];
    for (const key of new Set([...names, ...otherNames])) {
      if (named.length > maxNamed) return;
      const [value, otherValue] = [one, other].map((parent) => at(parent, key));
      const inner = `${place}${place === '' ? '' : '.'}${labelOf(value ?? otherValue, key)}`;
      if (!given.has(key)) named.push(`${what}: ${inner} is left out`);
      else if (expected.has(key)) compare(value, otherValue, inner);
      else named.push(`${what}: ${inner} is added`);
    }
  }

  compare(should, found, '');
  return named.length > maxNamed ? [...named.slice(0, maxNamed), `${what}: and more`] : named;
}

/** The names in an object or an array; undefined for anything else. */
function namesOf(value: unknown): readonly string[] | undefined {
  return typeof value === 'object' && value !== null ? Object.keys(value) : undefined;
}

/** The IDs of the items of a list; undefined for anything else, and if an item has no ID. */
function idsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids = value.flatMap((item: unknown) => stringAt(item, 'id') ?? []);
  return ids.length === value.length ? ids : undefined;
}

function orderOrMembers(should: readonly string[], found: readonly string[]): string {
  const [expected, given] = [new Set(should), new Set(found)];
  const missing = should.find((id) => !given.has(id));
  if (missing !== undefined) return `leaves out ${missing}`;
  const added = found.find((id) => !expected.has(id));
  return added === undefined ? 'lists its items in another order, or twice' : `adds ${shown(added, 120)}`;
}

/** The id of a list item that has one, otherwise the name or index. */
function labelOf(value: unknown, name: string): string {
  const id = /^\d+$/.test(name) ? stringAt(value, 'id') : undefined;
  return shown(id ?? name, 120);
}
