import { stringAt } from '../harness/json.ts';
import { describe, shown } from '../harness/text.ts';
import { credentialForm, curlForm } from './credential-form.ts';

/** Differences that are named; more help nobody. */
const maxNamed = 8;

/**
 * Where JSON that was found departs from what it should be, each place as one sentence that begins with `what`. Wrong
 * credentials count by their form.
 */
export function differences(what: string, should: unknown, found: unknown): readonly string[] {
  const named: string[] = [];

  function compare(one: unknown, other: unknown, place: string, name: string): void {
    if (named.length > maxNamed) return;
    const [names, otherNames] = [namesOf(one), namesOf(other)];
    if (names === undefined || otherNames === undefined || Array.isArray(one) !== Array.isArray(other)) {
      if (!Object.is(comparable(one, name), comparable(other, name))) {
        named.push(`${what}: ${place} is ${describe(other, 120)} and should be ${describe(one, 120)}`);
      }
      return;
    }
    for (const key of new Set([...names, ...otherNames])) {
      const [value, otherValue] = [one, other].map((parent) => memberOf(parent, key));
      const inner = `${place}${place === '' ? '' : '.'}${labelOf(value ?? otherValue, key)}`;
      if (!otherNames.includes(key)) named.push(`${what}: ${inner} is left out`);
      else if (names.includes(key)) compare(value, otherValue, inner, key);
      else named.push(`${what}: ${inner} is added`);
    }
  }

  compare(should, found, '', '');
  return named.length > maxNamed ? [...named.slice(0, maxNamed), `${what}: and more`] : named;
}

/** Of an object or an array; undefined for anything else. */
function namesOf(value: unknown): readonly string[] | undefined {
  return typeof value === 'object' && value !== null ? Object.keys(value) : undefined;
}

function memberOf(parent: unknown, name: string): unknown {
  return typeof parent === 'object' && parent !== null ? Reflect.get(parent, name) : undefined;
}

/** An item of a list is known by its id rather than by its place. */
function labelOf(value: unknown, name: string): string {
  const id = /^\d+$/.test(name) ? stringAt(value, 'id') : undefined;
  return shown(id ?? name, 120);
}

function comparable(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'authorization') return credentialForm(value);
  return name === 'curl' ? curlForm(value) : value;
}
