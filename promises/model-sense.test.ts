import { expect, test } from 'vitest';
import { modelSenses } from './model-sense.ts';

test.each([
  ['[1, 2, "1", true, "true"]', true],
  ['[9007199254740992, 9007199254740993]', true],
  ['[-9007199254740993, -9007199254740992, 7]', true],
  ['[9007199254740992, 7, 7]', false],
  ['["é", "é"]', false],
  ['[1.0, 1]', false],
  ['[1, null]', false],
])('samples %s: distinct is %s', (samples, distinct) => {
  const promise = modelSenses.find(({ requirement }) => requirement === 'models.samples-distinct');
  const record: unknown = JSON.parse(`{"columns":[{"name":"id","sampleValues":${samples}}]}`);
  expect(promise?.judge({ record }) === 'kept').toBe(distinct);
});
