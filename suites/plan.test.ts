import { expect, test } from 'vitest';
import { suites } from './index.ts';
import { selectChecks } from './plan.ts';

const extended = suites.filter((check) => check.extended && check.uses.length > 0);

function chosen(...only: readonly string[]): readonly string[] {
  return selectChecks(suites, only).map(({ id }) => id);
}

test('who names a promise about reading gets no check that writes', () => {
  for (const { id, uses } of selectChecks(suites, ['paging.*', 'models.*'])) expect(uses, id).toEqual([]);
});

test('what writes comes along where others write the like', () => {
  expect(chosen('delete.*')).toContain('delete.gone-or-marked/in-sequence');
  expect(chosen('*')).toHaveLength(suites.length);
  expect(chosen()).toHaveLength(suites.length);
});

test.each(extended.map(({ id }) => id))('%s is run where it is named', (id) => {
  expect(chosen(id)).toEqual([id]);
});

test("an area's name selects all of its checks", () => {
  expect(chosen('lists')).toEqual(chosen('paging.*'));
  expect(chosen('billing')).toEqual(chosen('billing.*', 'attach.*'));
});
