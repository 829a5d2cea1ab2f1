import { expect, test } from 'vitest';
import { folderOf, isFolderName, isName, isVersion } from './names.ts';

test.each([
  ['Acme Analytics, Inc.', 'acme-analytics-inc'],
  ['  Größe & Söhne ', 'gro-e-sohne'],
  ['../../etc/passwd', 'etc-passwd'],
  ['\u0410\u0421\u041c\u0415', ''],
  ['-', ''],
])('the folder of %j is %j', (name, folder) => {
  expect(folderOf(name)).toBe(folder);
});

test.each(['..', '.', '', 'a/b', 'A', '-a', 'a-', 'a--b', '__proto__', 'a'.repeat(65), 'a\0', 'café'])(
  '%j is no folder of a registry',
  (name) => expect(isFolderName(name)).toBe(false),
);

test.each([
  ['2.1.0', true],
  ['2026-11-23+build.7', true],
  ['..', false],
  ['1..2', false],
  ['1/2', false],
  ['1.0-RC', false],
  ['.1', false],
  ['1.', false],
  ['', false],
  ['1\n', false],
])('%j as a version: %s', (version, isRight) => expect(isVersion(version)).toBe(isRight));

test.each(['', ' a', 'a\u202eb', 'a\nb', '!!', 'a'.repeat(81)])('%j is no name', (name) => {
  expect(isName(name)).toBe(false);
});
