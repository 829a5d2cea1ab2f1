import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';
import { withModelFields } from '../../testing/answers/with-model-fields.ts';

/** Models whose fields change while updatedAt stays the same. */
const shown = (fieldsOf: (path: string, turn: number) => object): NonNullable<TrialOptions['through']> =>
  withModelFields((path, turn) => ({ updatedAt: '2026-01-15T00:00:00Z', ...fieldsOf(path, turn) }));

const isWhole = (path: string): boolean => path.includes('limit=100');
const verified = (second: number): object => ({
  updatedAt: '2026-01-15T00:00:00.123Z',
  verifiedAt: `2026-01-16T00:00:${`${second}`.padStart(2, '0')}.456Z`,
});
const measure = (name: string): object => ({ name, sql: 'count(*)' });
/** More than a message shows. */
const longMeasures = ['a', 'b', 'c', 'd'].map((letter) => measure(letter.repeat(100)));

test.each([
  [
    'names edited all the time',
    (_path: string, turn: number) => ({ name: `${turn}` }),
    [expect.stringMatching(/^blocked: name of "mdl.* changes while its updatedAt stays/)],
  ],
  [
    'other names on pages of another size',
    (path: string) => ({ name: `${isWhole(path)}` }),
    [expect.stringMatching(/^failed: expected name "true" of "mdl/)],
  ],
  [
    'verifications all the time, which are no updates',
    (_path: string, turn: number) => verified(turn),
    [expect.stringMatching(/^blocked: verifiedAt of "mdl.* changes while its updatedAt stays/)],
  ],
  [
    'another verification on pages of another size',
    (path: string) => verified(isWhole(path) ? 1 : 2),
    [expect.stringMatching(/^failed: expected verifiedAt "2026-01-16T00:00:01.456Z" of "mdl/)],
  ],
  [
    'other measures on pages of another size',
    (path: string) => ({ measures: [measure(isWhole(path) ? 'orders' : 'users')] }),
    [expect.stringMatching(/^failed: expected measures\.0 .*"orders".* on every page/)],
  ],
  [
    'the last of many measures in another order on pages of another size',
    (path: string) => ({ measures: [...longMeasures, ...(isWhole(path) ? ['y', 'z'] : ['z', 'y']).map(measure)] }),
    [expect.stringMatching(/^failed: expected measures\.4 .*"y".* on every page; got .*"z"/)],
  ],
  [
    'lists without an order in another order each time',
    (_path: string, turn: number) => ({
      synonyms: turn % 2 === 0 ? ['sales', 'orders'] : ['orders', 'sales'],
      keyColumns: turn % 2 === 0 ? ['id', 'day'] : ['day', 'id'],
    }),
    [],
  ],
  ['keyColumns that some pages leave out', (path: string) => (isWhole(path) ? {} : { keyColumns: undefined }), []],
] as const)('models have %s', async (_what, fieldsOf, said) => {
  expect(await saidBy('paging.same-records/listModels', { through: shown(fieldsOf) })).toEqual(said);
});
