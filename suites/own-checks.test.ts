import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { awcOfSources, temporaryFolder } from '../testing/try-awc.ts';
import { catalogue } from '../spec/catalogue.ts';
import { isOwn } from '../engine/own-check.ts';
import { ownChecks } from './own-checks.ts';

const from = (name: string) => JSON.stringify(new URL(`../engine/${name}.ts`, import.meta.url).href);

/** A file of checks as a vendor writes it, but for what the package is called. */
function fileOf(...checks: readonly string[]): string {
  return `
import { ownCheck as check } from ${from('own-check')};
import { must, mustStatus } from ${from('answer')};
import { as } from ${from('api')};
export const checks = [${checks.join(', ')}];`;
}

const listed = (
  id: string,
  expected: number,
) => `check('${id}', { on: 'listModels', sentence: 'It lists.' }, async (api) => {
  const [alice] = api.session.target.principals;
  mustStatus(await api.listModels(as(alice), alice.adminOf[0]), ${expected}, 'to the admin');
})`;

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'checks');
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

test('checks come in the order of the files, tests and declarations left out', async () => {
  const folder = await folderOf({
    'b.mjs': fileOf(listed('own.b', 200)),
    'a.ts': fileOf(listed('own.a', 200), listed('own.a-2', 200)),
    'a.test.ts': 'throw new Error()',
    'a.d.ts': '',
    'notes.md': '',
  });
  expect((await ownChecks(folder)).map(({ title }) => title)).toEqual([
    'own.a: It lists.',
    'own.a-2: It lists.',
    'own.b: It lists.',
  ]);
});

test.each([
  ['nothing', {}, /checks holds no file of checks: \.js, /],
  ['no export', { 'a.mjs': 'export const check = [];' }, /a\.mjs exports no array named checks\./],
  ['no check', { 'a.mjs': 'export const checks = [];' }, /a\.mjs exports no check/],
  ["another copy's check", { 'a.mjs': 'export const checks = [{ id: "own.a" }];' }, /must be made by check\(\) of the/],
  ['broken code', { 'a.mjs': 'export const checks = [x];' }, /a\.mjs:1: x is not defined/],
  [
    "an id of the catalogue's",
    { 'a.mjs': fileOf(listed('paging.limit', 200)) },
    /"paging\.limit" is not the id of an own/,
  ],
  ['an id that ends oddly', { 'a.mjs': fileOf(listed('own.a.-', 200)) }, /"own\.a\.-" is not the id of an own check/],
  ['an odd id', { 'a.mjs': fileOf(listed('own.A b', 200)) }, /"own\.A b" is not the id of an own check/],
  [
    'one id twice',
    { 'a.mjs': fileOf(listed('own.a', 200)), 'b.mjs': fileOf(listed('own.a', 200)) },
    /b\.mjs: own\.a is/,
  ],
] as const)('a folder with %s is an error that says so', async (_what, files, message) => {
  await expect(ownChecks(await folderOf(files))).rejects.toThrow(message);
});

test('a folder that is not there is an error', async () => {
  await expect(ownChecks('missing')).rejects.toThrow('missing is no folder that can be read.');
});

test('the catalogue leaves the area to vendors', () => {
  expect(catalogue.filter(({ id }) => isOwn(id))).toEqual([]);
});

test('awc run judges own checks too: they fail the run, and not the deployment', async () => {
  const folder = await folderOf({ 'a.ts': fileOf(listed('own.kept', 200), listed('own.broken', 418)) });
  const { code, out } = await awcOfSources('run', '--suites', folder, '--only', 'own.*', '--only', 'auth.no-key');
  expect(code, out).toBe(1);
  expect(out).toMatch(/^ {2}own +2 +1 +1 /m);
  expect(out).toMatch(
    /FAILED {2}own\.broken .*section own\n {2}It lists\.\n {2}expected +418 to the admin\n {2}actual +200/,
  );
  expect(out).toMatch(/Conformant, but own checks failed: .*1 of 2 own checks passed\. Only 8 selected checks/);
});

test('a run of own checks alone says that nothing of the specification was selected, and their verdicts decide', async () => {
  const folder = await folderOf({ 'a.ts': fileOf(listed('own.kept', 200)) });
  const { code, out } = await awcOfSources('run', '--suites', folder, '--only', 'own.*');
  expect(code, out).toBe(0);
  expect(out).toMatch(/^Incomplete: no must of the specification was selected\. 1 of 1 own checks passed\./m);
});

test.each([
  ['broken code', { 'a.mjs': '\nexport const checks = [x];' }, 'checks/a.mjs:2: x is not defined'],
  ['wrong syntax', { 'a.mjs': '\n\nexport const checks = [;' }, "checks/a.mjs:3: Unexpected token ';'"],
  ['wrong syntax in TypeScript', { 'a.mts': '\nexport const checks: [] = [;' }, 'checks/a.mts:2: Expression expected'],
  [
    'TypeScript that Node cannot strip',
    { 'a.mts': '\nenum X { A }\nexport const checks = [X];' },
    'checks/a.mts:2: TypeScript enum is not supported in strip-only mode',
  ],
  [
    'wrong syntax in a file that is imported',
    {
      'a.mjs': "import { b } from './parts/b.mjs';\nexport const checks = [b];",
      'parts/b.mjs': '\n\nexport const b = ;',
    },
    "checks/parts/b.mjs:3: Unexpected token ';'",
  ],
])('%s is shown with file and line', async (_what, files, sentence) => {
  const folder = await folderOf(files);
  const { code, err } = await awcOfSources('run', '--suites', folder);
  expect([code, err]).toEqual([2, `awc: ${relative('', dirname(folder))}/${sentence}\n`]);
});
