import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShorterLists } from './shorter-lists.ts';

const numbers = Array.from({ length: 60 }, (_, index) => index);

function shrunk(fails: (list: readonly number[]) => boolean, isKept: (item: number) => boolean = () => false) {
  const lists = new ShorterLists(fc.shuffledSubarray(numbers, { minLength: 60 }), isKept);
  let tries = 0;
  const result = fc.check(
    fc.property(lists, (list) => {
      tries += 1;
      return !fails(list);
    }),
    { seed: 5, numRuns: 1 },
  );
  return { list: result.counterexample?.[0] ?? [], path: result.counterexamplePath ?? '', lists, tries };
}

test('a list is drawn whole and shrinks to what makes it fail, in few tries', () => {
  const { list, tries } = shrunk((drawn) => drawn.includes(7) && drawn.includes(31));
  expect(list.toSorted((one, other) => one - other)).toEqual([7, 31]);
  expect(tries).toBeLessThan(60);
});

test('what is kept stays, and what comes after a failure goes', () => {
  const { list } = shrunk(
    (drawn) => drawn.includes(3),
    (item) => item >= 50,
  );
  expect(list.at(-1)).toBe(3);
  expect(list.slice(0, -1).every((item) => item >= 50)).toBe(true);
});

test('the path leads to the same list again', () => {
  const fails = (drawn: readonly number[]): boolean => drawn.includes(11) && drawn.includes(40);
  const { list, path, lists } = shrunk(fails);
  const again = fc.check(
    fc.property(lists, (drawn) => !fails(drawn)),
    { seed: 5, numRuns: 1, path, endOnFailure: true },
  );
  expect(again.counterexample?.[0]).toEqual(list);
  expect(list).toHaveLength(2);
});
