import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder } from './write-whole.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awc-write-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(async () => await rm(folder, { recursive: true }));

test('makes a folder with its parents, also twice and at once', async () => {
  const path = join(folder, 'a/b/c');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(folder, 'a/b'))]);
  await makeFolder(`${path}/`);
  expect((await stat(path)).isDirectory()).toBe(true);
});

test.each([
  ['file', 'EEXIST'],
  ['file/below', 'ENOTDIR'],
])('a folder cannot be %s', async (name, code) => {
  await expect(makeFolder(join(folder, name))).rejects.toThrow(`cannot be written (${code}).`);
});

test.skipIf(!existsSync('/proc/self'))('a folder that takes no files is known before the work', async () => {
  await expect(makeFolder('/proc')).rejects.toThrow('/proc cannot be written (ENOENT).');
});

test('a folder is left as it was found', async () => {
  const path = join(folder, 'empty');
  await makeFolder(path);
  expect(await readdir(path)).toEqual([]);
});

test.skipIf(!existsSync('/proc/self'))('what takes no new folder ends with a message instead of never', async () => {
  await expect(makeFolder('/proc/awc/below')).rejects.toThrow('/proc/awc/below cannot be written (ENOENT).');
});
