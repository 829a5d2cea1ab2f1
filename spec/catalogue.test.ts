import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areaOf, areas } from './areas.ts';
import { catalogue, catalogueByArea, requirement } from './catalogue.ts';
import { openPoints } from './open-points.ts';

test('every id stands once, and has the form area.name', () => {
  const ids = [...catalogue.map(({ id }) => id), ...openPoints.map(({ point }) => `open:${point}`)];
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id } of catalogue) expect(id).toMatch(/^[a-z]+\.[a-z0-9-]+$/);
});

test('every requirement stands in the file of its area', () => {
  for (const [area, requirements] of Object.entries(catalogueByArea)) {
    expect(existsSync(new URL(`requirements/${area}.ts`, import.meta.url)), area).toBe(true);
    for (const { id } of requirements) expect(areaOf(id), id).toBe(area);
  }
  expect(Object.keys(catalogueByArea)).toEqual(Object.keys(areas));
});

test('every prefix of ids belongs to one area', () => {
  const prefixes = Object.values(areas).flat();
  expect(new Set(prefixes).size).toBe(prefixes.length);
});

test('every requirement is one sentence, about an operation or with the reason why it is about none', () => {
  for (const { id, sentence, operations, unobservable } of catalogue) {
    expect(sentence, id).toMatch(/^[A-Za-z0-9].*\.$/);
    expect(operations.length > 0 || unobservable !== undefined, id).toBe(true);
  }
});

test('a requirement is found by its id', () => {
  expect(requirement('paging.walk').section).toBe('4.1');
});
