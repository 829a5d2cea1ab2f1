import { expect, test } from 'vitest';
import { type ChangedFile, readChange } from './change.ts';

function added(...paths: readonly string[]): readonly ChangedFile[] {
  return paths.map((path) => ({ path, status: 'added' }));
}

test('a change adds versions of one product, and the file of its vendor', () => {
  const files = added(
    'submissions/acme/workspace/1.0/submission.json',
    'submissions/acme/workspace/1.0/bundle/run.json',
    'submissions/acme/workspace/1.1/submission.json',
  );
  const change = readChange([...files, { path: 'vendors/acme.json', status: 'changed' }]);
  expect(change.problems).toEqual([]);
  expect([change.vendor, change.added.map(({ version }) => version)]).toEqual(['acme', ['1.0', '1.1']]);
});

test.each<[string, readonly ChangedFile[], string]>([
  [
    'two products',
    added('submissions/a/x/1/submission.json', 'submissions/a/y/1/submission.json'),
    'more than one product',
  ],
  ['another vendor', added('submissions/a/x/1/submission.json', 'vendors/b.json'), 'more than one product'],
  ['two vendors', added('vendors/a.json', 'vendors/b.json'), 'more than one product'],
  ['a workflow', added('.github/workflows/verify.yml'), '.github/workflows/verify.yml does not belong'],
  ['a path that leads out', added('submissions/../x/1/submission.json'), 'does not belong'],
  ['a file beside a version', added('submissions/a/x/notes'), 'does not belong'],
  ['an altered file', [{ path: 'submissions/a/x/1/bundle/run.json', status: 'changed' }], 'was changed or removed'],
  ['a removed file', [{ path: 'submissions/a/x/1/submission.json', status: 'removed' }], 'was changed or removed'],
  ['a removed vendor', [{ path: 'vendors/a.json', status: 'removed' }], 'was changed or removed'],
])('a change with %s is refused', (_what, files, problem) => {
  expect(readChange(files).problems.join('\n')).toContain(problem);
});
