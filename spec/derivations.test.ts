import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { publishedLevels } from './errata.ts';
import { revisions } from './revisions/revisions.ts';

const text = readFileSync(new URL('derivations.md', import.meta.url), 'utf8');
const [, repeated = '', following = '', lowered = ''] = text.split(/^## .*$/m);

function namedIn(part: string): readonly string[] {
  return [...part.matchAll(/`([a-z]+\.[a-z0-9-]+)`/g)].map(([, id = '']) => id);
}

/** The requirements of the first column. */
function rowsOf(part: string): readonly string[] {
  return [...part.matchAll(/^\| `([a-z]+\.[a-z0-9-]+)` +\|/gm)].map(([, id = '']) => id);
}

test('every must with a check repeats a sentence of the specification or has the reason why it follows from one', () => {
  const musts = catalogue.filter(({ level, unobservable }) => level === 'must' && unobservable === undefined);
  const listed = [...namedIn(repeated), ...rowsOf(following)];
  const missing = musts.map(({ id }) => id).filter((id) => !listed.includes(id));
  expect(missing, 'add these musts to spec/derivations.md').toEqual([]);
  expect(listed.toSorted()).toEqual(musts.map(({ id }) => id).toSorted());
});

test('every lowered requirement is an erratum of the revision that published it', () => {
  const errata = [...revisions.values()].flatMap(({ errata: own }) => [...publishedLevels(own).keys()]);
  expect(rowsOf(lowered)).toEqual(errata);
});
