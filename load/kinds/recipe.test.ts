import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadRecordSchema } from '../../reports/load/load-record.ts';
import { temporaryFolder } from '../../testing/try-awc.ts';

const home = fileURLToPath(new URL('../..', import.meta.url));
const left = new Set(['node_modules', '.git', 'dist', 'coverage', 'field', 'docs']);

/** The blocks of a document that name the file they belong in. */
function filesIn(document: string): readonly { readonly path: string; readonly text: string }[] {
  return [...document.matchAll(/^( *)```\w+ file=(\S+)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', path = '', text = '']) => ({ path, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }),
  );
}

/** A copy of this checkout, to be changed. */
async function checkout(): Promise<string> {
  const copy = join(await temporaryFolder(), 'checkout');
  await mkdir(copy);
  const paths = (await readdir(home)).filter((name) => !left.has(name)).map((name) => join(home, name));
  await promisify(execFile)('cp', ['-R', ...paths, copy]); // Node takes several times as long
  await symlink(join(home, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** What a load by that profile says and records. */
async function load(copy: string, name: string) {
  const out = join(copy, `out-${name}`);
  const flags = [join(copy, 'cli/awc.mjs'), 'load', '--profile', name, '--out', out];
  // On a busy machine the run may have no verdict, which is exit code 4.
  const { stderr } = await promisify(execFile)(process.execPath, flags).catch((error: unknown) => ({
    stderr: String(error),
  }));
  return { stderr, record: loadRecordSchema.parse(JSON.parse(await readFile(join(out, 'load.json'), 'utf8'))) };
}

/** Prints the names of the load's fields without a meaning in the reference of all fields. */
const unexplained = `
  const { profileReference } = await import('./load/profile/profile-reference.ts');
  process.stdout.write(profileReference().split('\\n').filter((line) => /^\\| .load\\.(?:burst|halfTime)\\..*\\|\\s*\\|$/.test(line)).join());
`;

test('the kinds that are added as CONTRIBUTING.md says run end to end', async () => {
  const copy = await checkout();
  const files = filesIn(await readFile(join(home, 'CONTRIBUTING.md'), 'utf8'));
  expect(files.map(({ path }) => path)).toEqual([
    'load/kinds/half-time.ts',
    'load/kinds/burst.ts',
    'profiles/burst.yaml',
  ]);
  for (const { path, text } of files) await writeFile(join(copy, path), text);
  const profile = files[2]?.text.replace('burst: { size: 20 }', 'halfTime: { first: 20, second: 40 }') ?? '';
  await writeFile(join(copy, 'profiles/half-time.yaml'), `${profile}duration: 500ms\n`);
  const table = join(copy, 'load/kinds/kinds.ts');
  const kinds = (await readFile(table, 'utf8')).replace('LoadKind[] = [', 'LoadKind[] = [burstKind, halfTimeKind, ');
  const imports = "import { burstKind } from './burst.ts';\nimport { halfTimeKind } from './half-time.ts';\n";
  await writeFile(table, imports + kinds);

  const burst = await load(copy, 'burst');
  expect(burst.stderr).toContain('burst sends 20 requests at once to');
  expect(burst.record.profile).toMatchObject({ name: 'burst', kind: 'burst' });
  expect(burst.record.operations).toMatchObject([{ operation: 'listModels', sent: 20 }]);
  expect(burst.record.violations).toEqual([]);
  expect(burst.record.validation.checked).toBe(20);
  const { stderr, record } = await load(copy, 'half-time');
  expect(stderr).toContain('half-time sends about 15 requests over at most 512 sockets in 1 s to');
  expect(record.profile).toMatchObject({ name: 'half-time', kind: 'halfTime' });
  expect(record.violations).toEqual([]);
  expect(record.validation.checked).toBeGreaterThan(0);
  const node = ['--input-type=module', '--eval', unexplained];
  expect(await promisify(execFile)(process.execPath, node, { cwd: copy })).toMatchObject({ stdout: '' });
});
