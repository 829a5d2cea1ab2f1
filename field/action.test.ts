import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { fences } from './fences.ts';
import { finish, type Finished, start } from './finish.ts';
import { setStage, type Stage } from './set-stage.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

const stepSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: z.enum(['always()', "always() && inputs.artifact != ''"]).optional(),
  uses: z
    .string()
    .regex(/^actions\/[\w-]+@[0-9a-f]{40}$/)
    .optional(),
  with: z.record(z.string(), z.string()).optional(),
  shell: z.literal('bash').optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
});

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string().max(125), // the Marketplace shows no more
  inputs: z.record(
    z.string(),
    z.strictObject({ description: z.string(), required: z.literal(true).optional(), default: z.string().optional() }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal('composite'), steps: z.array(stepSchema) }),
});

const action = actionSchema.parse(parse(await readFile(join(project, 'action.yml'), 'utf8')));

/** The runner's folder for temporary files, which all trials share, so that npm installs once. */
let runnerTemp: string;
/** A clone of the repository, as a runner makes it for an action. */
let actionPath: string;
beforeAll(async () => {
  runnerTemp = await mkdtemp(join(tmpdir(), 'awc-runner-'));
  actionPath = join(runnerTemp, 'action');
  await finish('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(project).href, actionPath], { cwd: '/' });
});
afterAll(() => rm(runnerTemp, { recursive: true, force: true }));

type Ran = {
  readonly steps: ReadonlyMap<string, Finished>;
  readonly outputs: ReadonlyMap<string, string>;
  readonly summary: string;
};

/** Runs the shell steps as a runner would: each if it should, with its env, by its shell. */
async function runAction(inputs: Readonly<Record<string, string>>, { folder, env }: Stage): Promise<Ran> {
  const defaults = Object.entries(action.inputs).map(([name, { default: value = '' }]) => [name, value] as const);
  const values = new Map([...defaults, ...Object.entries(inputs)]);
  const [output, summary, script] = ['output', 'summary', 'step.sh'].map((name) => join(folder, name));
  if (output === undefined || summary === undefined || script === undefined) throw new Error('three names give three');
  await Promise.all([output, summary].map((path) => writeFile(path, '')));
  const read = (_: string, steps: string | undefined, name: string) =>
    values.get(steps === undefined ? name : `steps.${name}`) ?? '';
  const steps = new Map<string, Finished>();
  let failed = false;
  for (const step of action.runs.steps) {
    if (step.run === undefined || (failed && step.if === undefined)) continue;
    for (const [name, value] of await outputsIn(output)) values.set(`steps.${name}`, value);
    const own = Object.entries(step.env ?? {}).map(
      ([name, value]) =>
        [name, value.replace(/\$\{\{ (?:inputs|(steps)\.\w+\.outputs)\.([\w-]+) \}\}/g, read)] as const,
    );
    await writeFile(script, step.run);
    const files = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_ACTION_PATH: actionPath };
    const given = { ...env, RUNNER_TEMP: runnerTemp, ...files };
    const options = { cwd: folder, env: { ...given, ...Object.fromEntries(own) } };
    const ended = await start('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], options).finished;
    steps.set(step.name ?? '', ended);
    failed ||= ended.code !== 0;
  }
  const { awc: _path, ...outputs } = Object.fromEntries(await outputsIn(output));
  return { steps, outputs: new Map(Object.entries(outputs)), summary: await readFile(summary, 'utf8') };
}

async function outputsIn(file: string): Promise<readonly (readonly [name: string, value: string])[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}

async function stageWith(...faults: readonly string[]): Promise<Stage> {
  const stage = await setStage(inject('installed'), faults);
  onTestFinished(stage.clear);
  return stage;
}

test('no input is written into a script, where it could be a command', () => {
  for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
});

test('every step of a shell names its shell, and uses nothing that the bash 3.2 of macOS lacks', () => {
  for (const { run, shell } of action.runs.steps) expect(shell).toBe(run === undefined ? undefined : 'bash');
  const newer =
    /\$\{[^}]*(\^\^?|,,?|@[A-Za-z])\}|\$\{\w+:\s*-\d|\b(mapfile|readarray|coproc)\b|declare -[An]|&>>|\|&|\[\[ -v/;
  for (const { run = '' } of action.runs.steps) expect(run).not.toMatch(newer);
});

test('from a checkout, with patterns that are indented and a budget', async () => {
  const inputs = { target: 'staging.yaml', only: '  auth.no-key/listModels \n\t\n  paging.limit/* ', budget: '5m' };
  const { steps, outputs, summary } = await runAction(inputs, await stageWith());
  expect([...steps].filter(([, { code }]) => code !== 0)).toEqual([]);
  expect(Object.fromEntries(outputs)).toEqual({ 'exit-code': '0', result: 'conformant' });
  expect(summary).toMatch(/Conformant/);
});

test('own checks run with the package of the project, which they import', async () => {
  const stage = await stageWith();
  const text = `import { as, check, mustStatus } from 'analytics-workspace-conformance/check';
export const checks = [
  check('own.listed', { on: 'listModels', sentence: 'It lists.' }, async (api) => {
    const [alice] = api.session.target.principals;
    mustStatus(await api.listModels(as(alice), alice.adminOf[0]), 200, 'to the admin');
  }),
];`;
  await mkdir(join(stage.folder, 'promises'));
  await writeFile(join(stage.folder, 'promises/listed.mjs'), text);
  const { steps } = await runAction({ target: 'staging.yaml', suites: 'promises', only: 'own.*' }, stage);
  expect(steps.get('Judge')?.code, steps.get('Judge')?.err).toBe(0);
  expect(steps.get('Judge')?.out).toMatch(/1 of 1 own checks passed/);
});

test('every workflow pins its actions by commit', async () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: project });
  expect(workflows).not.toEqual([]);
  for (const path of workflows) {
    const text = await readFile(join(project, path), 'utf8');
    const uses = [...text.matchAll(/^ *- uses: (.*)$/gm)].map(([, used]) => used);
    for (const used of uses) expect(used).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test('a conformant deployment is green, with a summary', async () => {
  const inputs = { target: 'staging.yaml', package: inject('installed').tarball, only: 'auth.no-key\npaging.limit*\n' };
  const { steps, outputs, summary } = await runAction(inputs, await stageWith());
  expect([...steps.keys()]).toEqual(['Install', 'Judge', 'Show']);
  expect([...steps].filter(([, { code }]) => code !== 0)).toEqual([]);
  expect(Object.fromEntries(outputs)).toEqual({ 'exit-code': '0', result: 'conformant' });
  expect(summary).toMatch(/Conformant/);
  expect(steps.get('Show')?.out).toBe('');
});

test('a package that npm would read as an option is refused', async () => {
  const { steps, summary } = await runAction(
    { target: 'staging.yaml', package: '--globalconfig=x' },
    await stageWith(),
  );
  expect([...steps.keys()]).toEqual(['Install', 'Show']);
  expect(steps.get('Install')).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^::error::package must not begin/),
  });
  expect(summary).toMatch(/^No verdict/);
});

test('a violation fails the step, and is shown as summary and annotations all the same', async () => {
  const inputs = { target: 'staging.yaml', package: inject('installed').tarball, only: 'paging.limit', strict: 'true' };
  const stage = await stageWith('later-pages-short');
  const { steps, outputs, summary } = await runAction(inputs, stage);
  expect([steps.get('Judge')?.code, steps.get('Show')?.code]).toEqual([1, 0]);
  expect(Object.fromEntries(outputs)).toEqual({ 'exit-code': '1', result: 'nonconformant' });
  expect(summary).toMatch(/paging\.limit/);
  expect(steps.get('Show')?.out).toMatch(/^::error file=staging\.yaml,line=1,title=paging\.limit/);
  expect(await readFile(join(stage.folder, 'conformance/junit.xml'), 'utf8')).toContain('<testsuite');
});

test.each([
  ['a target that is not there', { target: '--help' }, '2', /--help: there is no such file/],
  [
    'a flag that is neither',
    { target: 'staging.yaml', strict: 'yes' },
    undefined,
    /::error::strict must be true or false/,
  ],
  ['a file of waivers that is not there', { target: 'staging.yaml', waivers: 'none.yaml' }, '2', /none\.yaml/],
] as const)('%s fails the step, and the summary says that there is no verdict', async (_what, wrong, code, message) => {
  const inputs = { package: inject('installed').tarball, ...wrong };
  const { steps, outputs, summary } = await runAction(inputs, await stageWith());
  expect([steps.get('Judge')?.code, outputs.get('exit-code'), outputs.get('result')]).toEqual([2, code, undefined]);
  expect(`${steps.get('Judge')?.out}${steps.get('Judge')?.err}`).toMatch(message);
  expect(summary).toMatch(/^No verdict/);
});

const gitlabSchema = z.object({
  conformance: z.object({
    variables: z.record(z.string(), z.string()),
    script: z.array(z.string()),
    after_script: z.array(z.string()),
    artifacts: z.object({
      when: z.literal('always'),
      paths: z.array(z.string()),
      reports: z.object({ junit: z.string() }),
    }),
  }),
});

test('the job for GitLab does as documented what it says', async () => {
  const document = fences(await readFile(join(project, 'docs/gating-ci.md'), 'utf8'));
  const text = document.find(({ words }) => words.get('file') === '.gitlab-ci.yml')?.text ?? '';
  const { conformance: job } = gitlabSchema.parse(parse(text));
  expect(job.variables['AWC_PACKAGE']).toBe(`git+https://HOST/OWNER/${manifest.name}.git#COMMIT`);
  const { folder, env } = await stageWith();
  await writeFile(join(folder, 'package.json'), '{}'); // npx must not find what the stage has installed
  await rm(join(folder, 'node_modules'));
  const options = { cwd: folder, env: { ...env, AWC_PACKAGE: inject('installed').tarball, AWC_ONLY: 'auth.*' } };
  for (const line of [...job.script, ...job.after_script]) {
    const { code, out, err } = await start('bash', ['-eo', 'pipefail', '-c', line], options).finished;
    expect(code, line + out + err).toBe(0);
  }
  for (const path of [job.artifacts.reports.junit, 'conformance/report.json', 'conformance/report.html']) {
    expect(await readFile(join(folder, path), 'utf8')).not.toBe('');
  }
});
