import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { realClock } from '../core/clock.ts';
import { fences } from './fences.ts';
import { finish, start } from './finish.ts';
import { plainEnvironment } from './plain-environment.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const installed = inject('installed');
const packageFolder = join(installed.folder, 'node_modules/analytics-workspace-conformance');

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-package-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('what is in the package', () => {
  let files: readonly string[];
  beforeAll(async () => {
    const { out } = await finish('tar', ['-tzf', installed.tarball], { cwd: project });
    files = out
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
  });

  test('is the build, and what it reads', () => {
    const known =
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|cli\/awc\.mjs|profiles\/[\w-]+\.yaml|reports\/[\w-]+\.schema\.json|targets\/example\.yaml|dist\/.*\.js|dist\/.*\.d\.ts)$/;
    expect(files.filter((path) => !known.test(path))).toEqual([]);
    expect(files.filter((path) => /\.test\.|^dist\/(bench|field)\//.test(path))).toEqual([]);
  });

  test('weighs no more than 1.2 megabytes', async () => {
    expect((await stat(installed.tarball)).size).toBeLessThan(1_200_000);
  });

  test('holds everything that package.json exports', async () => {
    const { exports }: { readonly exports: Readonly<Record<string, unknown>> } = JSON.parse(
      await readFile(join(packageFolder, 'package.json'), 'utf8'),
    );
    const paths = Object.values(exports).flatMap((entry) =>
      typeof entry === 'object' && entry !== null ? Object.values(entry) : [entry],
    );
    for (const path of paths) expect(files).toContain(String(path).replace('./', ''));
  });
});

const consumer = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  types: ['node'],
};

test.each([
  ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
] as const)('the examples of docs/embedding.md have types under %s', async (_name, resolution) => {
  const folder = await mkdtemp(join(installed.folder, 'types-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await writeFile(join(folder, 'wrong.mts'), wrong);
  for (const { words, text } of fences(await readFile(join(project, 'docs/embedding.md'), 'utf8'))) {
    const file = words.get('file');
    if (file === undefined) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  await symlink(join(project, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...consumer, ...resolution } }));
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  const { code, out } = await start(process.execPath, [tsc, '-p', folder, '--checkers', '1'], { cwd: folder }).finished;
  expect(code, out).toBe(0);
});

test('on an older Node it says one clear sentence and ends with 2', async ({ skip }) => {
  const old = '/usr/bin/node';
  if (!existsSync(old)) skip('no other Node here');
  const version = (await finish(old, ['--version'], { cwd: '/' })).out.trim();
  if (Number(version.slice(1).split('.')[0]) >= 22) skip(`this machine's own Node is ${version}`);
  const ended = await start(old, [join(packageFolder, 'cli/awc.mjs'), 'run'], { cwd: '/' }).finished;
  expect([ended.code, ended.out]).toEqual([2, '']);
  expect(ended.err).toMatch(/^awc needs Node 22\.19 or later, and this is v\d+\.\d+\.\d+\..*\n$/);
});

/** What must not compile: types that were lost on the way would let it pass. */
const wrong = `
import { run } from 'analytics-workspace-conformance';
import { check } from 'analytics-workspace-conformance/check';
// @ts-expect-error an option that there is not
await run('staging.yaml', { sed: 1 });
// @ts-expect-error a record has no such result
if ((await run('staging.yaml')).result === 'green') throw new Error();
// @ts-expect-error an id of the catalogue
check('paging.limit', { on: 'listModels', sentence: '' }, async () => {});
`;

/** The account that may do least, where this process may become it. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

type Home = { readonly out: string; readonly temporary: string; readonly env: Readonly<Record<string, string>> };

/** Places that may be written to, and an environment that knows no others. */
async function homeOfNobody(): Promise<Home> {
  const folder = await temporaryFolder();
  await chmod(folder, 0o777);
  await chmod(dirname(installed.folder), 0o755);
  const [out, temporary] = [join(folder, 'out'), join(folder, 'tmp')];
  for (const made of [out, temporary]) {
    await mkdir(made);
    await chmod(made, 0o777);
  }
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: '/nonexistent', TMPDIR: temporary };
  return { out, temporary, env };
}

async function listing(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.toSorted().map(async (path) => `${path} ${(await stat(path)).mtimeMs}`));
}

const awc = join(packageFolder, 'cli/awc.mjs');

/** Answers take so long that a generator which a busy machine holds up for some milliseconds is still fit to measure them. */
const unhurried = ['--choice', 'pace=sluggish'];

test('as nobody, from /, with the package read-only: run, report, load and serve work and leave nothing but --out', async () => {
  const { out, temporary, env } = await homeOfNobody();
  await finish('chmod', ['-R', 'a-w', packageFolder], { cwd: '/' });
  const before = [await listing(packageFolder), await readdir('/')];
  const options = { cwd: '/', env, ...nobody };
  const say = async (...args: readonly string[]) => (await finish(process.execPath, [awc, ...args], options)).out;

  expect(await say('run', '--only', 'paging.*', '--out', join(out, 'run'))).toMatch(/^Conformant: /m);
  expect(await say('report', join(out, 'run/report.json'), '--format', 'markdown')).toMatch(/Conformant/);
  expect(await say('load', '--profile', 'smoke', ...unhurried, '--out', join(out, 'load'))).not.toBe('');
  const served = start(process.execPath, [awc, 'serve', '--port', '0', '--out', join(out, 'served.yaml')], options);
  onTestFinished(served.kill);
  while (!served.said().includes('Ctrl-C')) await realClock.sleep(20);
  expect(await say('run', join(out, 'served.yaml'), '--only', 'auth.no-key', '--out', join(out, 'http'))).toMatch(
    /^Conformant: /m,
  );
  served.kill();
  await served.finished;

  const left = await readdir(out, { recursive: true });
  const folders = ['http', 'load', 'run'];
  const reports = ['http', 'run'].flatMap((name) => [`${name}/junit.xml`, `${name}/report.json`]);
  expect(left.toSorted()).toEqual([...folders, ...reports, 'load/load.json', 'served.yaml'].toSorted());
  expect(await readdir(temporary)).toEqual([]);
  expect([await listing(packageFolder), await readdir('/')]).toEqual(before);
});

test('publishing it warns of nothing but the missing login', async () => {
  const { err } = await finish('npm', ['publish', '--dry-run', installed.tarball], {
    cwd: tmpdir(),
    env: plainEnvironment(),
  });
  const warned = err.split('\n').filter((line) => /^npm (warn|error)/.test(line) && !/Unknown \w+ config/.test(line));
  expect(warned.filter((line) => !line.includes('requires you to be logged in'))).toEqual([]);
});

test('installed by pnpm it runs too', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const env = { ...plainEnvironment(), npm_config_store_dir: join(folder, 'store') };
  await finish('npx', ['--yes', 'pnpm@10.18.0', 'add', '--silent', installed.tarball], { cwd: folder, env });
  const awcOfPnpm = join(folder, 'node_modules/.bin/awc'); // what pnpm exec starts
  const { out } = await finish(awcOfPnpm, ['run', '--only', 'auth.*'], { cwd: folder, env });
  expect(out).toMatch(/^Conformant: /m);
  await finish(awcOfPnpm, ['load', '--profile', 'smoke', ...unhurried, '--out', 'load'], { cwd: folder, env });
});
