import { expect, test } from 'vitest';
import { importsOf, suitesReached, testsNear, toRenew } from './near-changes.ts';

const imports = new Map([
  ['suites/index.ts', ['suites/lists/paging.ts', 'suites/access/access.ts']],
  ['suites/lists/paging.ts', ['stage/lists/lists.ts', 'core/json.ts']],
  ['suites/access/access.ts', ['core/json.ts']],
  ['stage/lists/lists.ts', ['core/json.ts']],
  ['stage/lists/lists.test.ts', ['stage/lists/lists.ts']],
  ['core/json.test.ts', ['core/json.ts']],
  ['proof/whole.test.ts', ['suites/index.ts']],
  ['proof/walk.test.ts', ['suites/lists/paging.ts']],
]);

test('imports are read from every form of import', () => {
  const text = `import { a } from '../core/a.ts';\nimport type { B } from './b.ts';\nimport './c.ts';
export { d } from './d.ts';\nconst e = await import('../e.ts');\nimport { test } from 'vitest';\n`;
  expect(importsOf('suites/lists.ts', text)).toEqual([
    'core/a.ts',
    'suites/b.ts',
    'suites/c.ts',
    'suites/d.ts',
    'e.ts',
  ]);
});

test.each([
  ['a suite', ['suites/lists/paging.ts'], ['proof/walk.test.ts']],
  ['a module with a test beside it', ['core/json.ts'], ['core/json.test.ts']],
  ['a test', ['proof/whole.test.ts'], ['proof/whole.test.ts']],
  ['a document', ['README.md'], []],
])('a change of %s runs the tests beside it and those that import it', (_what, changed, tests) => {
  expect(testsNear(changed, imports)).toEqual(tests);
});

test.each([
  ['a suite', ['suites/access/access.ts'], ['suites/index.ts', 'suites/access/access.ts']],
  ['a stage', ['stage/lists/lists.ts'], ['suites/index.ts', 'suites/lists/paging.ts']],
  ['what is below all of them', ['core/json.ts'], []],
])('a change of %s reaches the suites that build on it', (_what, changed, reached) => {
  expect(suitesReached(changed, imports)).toEqual(reached);
});

test.each([
  [
    'a fault',
    ['reference/faults/lists/paging.ts'],
    ['README.md', 'proof/kill-matrix.txt', 'reports/causes/consequences.ts'],
  ],
  [
    'a check, with the matrix',
    ['suites/lists/paging.ts', 'proof/kill-matrix.txt'],
    ['README.md', 'reports/causes/consequences.ts'],
  ],
  ['a test of a check', ['suites/lists/paging.test.ts'], []],
  ['a renderer', ['reports/run/terminal.ts'], []],
])('a change of %s names what it may make outdated', (_what, changed, expected) => {
  expect(toRenew(changed).map((one) => one.split(' ')[0])).toEqual(expected);
});
