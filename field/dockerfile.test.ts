import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import lock from '../package-lock.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
import { type DockerStage, type Instruction, readDockerfile } from './dockerfile.ts';
import { dependencies } from './run-action.ts';
import { finish, start } from './finish.ts';
import { plainEnvironment } from './plain-environment.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const stages = readDockerfile(await readFile(join(project, 'Dockerfile'), 'utf8'));
const last = stages.at(-1);
const entry: readonly string[] = JSON.parse(of(last, 'ENTRYPOINT')[0] ?? '[]');

function of(stage: DockerStage | undefined, keyword: string): readonly string[] {
  return (stage?.instructions ?? []).filter((line) => line.keyword === keyword).map(({ rest }) => rest);
}

/** Carries an image's build out in folders that stand for the roots of its stages. There is no engine to be asked. */
async function build(root: string): Promise<{ readonly image: string; readonly workdir: string }> {
  const built = new Map<string, string>();
  let [image, workdir] = ['', '/'];
  for (const { name, instructions } of stages) {
    image = join(root, name === '' ? 'image' : name);
    workdir = '/';
    for (const instruction of instructions) workdir = await carryOut(instruction, { image, workdir, built });
    built.set(name, image);
  }
  return { image, workdir };
}

/** npm has done both here already, by the same lock file: a test shows that the scripts of dependencies do nothing else. */
const installsAll = 'npm ci --ignore-scripts --no-audit --no-fund';
const installsDependencies = 'npm ci --omit=dev --ignore-scripts --no-audit --no-fund';

type Place = { readonly image: string; readonly workdir: string; readonly built: ReadonlyMap<string, string> };

/** Gives the working directory that follows. */
async function carryOut({ keyword, rest }: Instruction, { image, workdir, built }: Place): Promise<string> {
  const cwd = join(image, workdir);
  if (keyword === 'WORKDIR') {
    await mkdir(join(image, rest), { recursive: true });
    return rest;
  }
  if (keyword === 'RUN' && rest === installsAll) {
    await symlink(join(project, 'node_modules'), join(cwd, 'node_modules'));
  } else if (keyword === 'RUN' && rest === installsDependencies) {
    const here = dependencies.map((name) => `node_modules/${name}`).filter((path) => existsSync(join(project, path)));
    await finish('cp', ['-a', '--parents', ...here, cwd], { cwd: project });
  } else if (keyword === 'RUN') {
    const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
    await finish('sh', ['-c', rest], { cwd, env: { ...plainEnvironment(), PATH: path } });
  }
  if (keyword === 'COPY') {
    const words = rest.split(' ');
    const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1];
    const [source, paths] = from === undefined ? [project, words] : [built.get(from), words.slice(1)];
    if (source === undefined) throw new Error(`no stage ${from}`);
    const to = paths.at(-1) ?? '';
    const target = to.startsWith('/') ? join(image, to) : join(cwd, to);
    for (const path of paths.slice(0, -1)) await copy(source, path, target);
  }
  return workdir;
}

/** Of the context, what git would take: .dockerignore is held to leaving out the rest. */
async function copy(source: string, path: string, target: string): Promise<void> {
  if (path === '.') {
    const { out } = await finish('git', ['ls-files', '-co', '--exclude-standard'], { cwd: source });
    for (const file of out.trim().split('\n')) {
      await mkdir(dirname(join(target, file)), { recursive: true });
      await copyFile(join(source, file), join(target, file)).catch(() => {});
    }
    return;
  }
  const from = join(source, path);
  const isFolder = !/\.\w+$/.test(path);
  if (isFolder) await mkdir(target, { recursive: true });
  await finish('cp', ['-a', isFolder ? `${from}/.` : from, target], { cwd: '/' });
}

test('every stage starts from the version of Node that the tests run on, and from nothing without a digest', () => {
  const version = manifest.devDependencies.node;
  for (const { from } of stages) expect(from).toMatch(new RegExp(`^node:${version.replaceAll('.', '\\.')}-[a-z-]+@$`));
});

test('dependencies need no script at their installation but the one that downloads Node', () => {
  const scripted = Object.entries(lock.packages).filter(([, dependency]) => 'hasInstallScript' in dependency);
  // The script of protobufjs only warns of a version range.
  expect(scripted.map(([path]) => path)).toEqual(['node_modules/node', 'node_modules/protobufjs']);
});

test('the image runs as a user without rights, and starts with what it is for', () => {
  expect(of(last, 'USER')).toEqual(['node']);
  expect(of(last, 'RUN')).toEqual([]);
  expect(entry).toEqual(['node', '/opt/awc/cli/awc.mjs']);
});

test('neither history, nor keys, nor what was built here gets into the context', async () => {
  const ignored = (await readFile(join(project, '.dockerignore'), 'utf8')).trim().split('\n');
  for (const needed of ['.git', '**/node_modules', 'dist', '.env*']) expect(ignored).toContain(needed);
});

test('its build, carried out line by line, makes an image in which the user nobody can run awc', async () => {
  const root = await mkdtemp(join(tmpdir(), 'awc-image-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { image, workdir } = await build(root);
  await finish('chmod', ['-R', 'a+rX', root], { cwd: '/' });
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', NODE_ENV: 'production' };
  const args = [join(image, entry[1] ?? ''), 'run', '--only', 'auth.*'];
  const ended = await start(process.execPath, args, { cwd: join(image, workdir), env, ...nobody }).finished;
  expect(ended.code, ended.err).toBe(0);
  expect(ended.out).toMatch(/^Conformant: /m);
  const help = await finish(process.execPath, [join(image, entry[1] ?? ''), ...JSON.parse(of(last, 'CMD')[0] ?? '')], {
    cwd: '/',
  });
  expect(help.out).toMatch(/^Usage: awc/);
});
