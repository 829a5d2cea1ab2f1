import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { fences } from './fences.ts';
import { finish, start } from './finish.ts';
import { readAction, runAction, type Runner, setRunner } from './run-action.ts';
import { setStage, type Stage } from './set-stage.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

const action = await readAction('.');

/** All trials share it, so that npm installs once. */
let runner: Runner;
beforeAll(async () => {
  runner = await setRunner(await mkdtemp(join(tmpdir(), 'awc-runner-')));
  // The action installs the package here. Its dependencies are there already, so npm unpacks nothing else.
  const modules = join(runner.temp, 'awc/node_modules');
  await mkdir(dirname(modules));
  await finish('cp', ['-a', join(inject('installed').folder, 'node_modules'), modules], { cwd: '/' });
  for (const name of ['.package-lock.json', manifest.name]) await rm(join(modules, name), { recursive: true });
});
afterAll(() => rm(runner.temp, { recursive: true, force: true }));

const judge = (inputs: Readonly<Record<string, string>>, stage: Stage) => runAction(action, inputs, stage, runner);

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

test('from a checkout, with patterns that are indented and a budget, a conformant deployment is green, with a summary', async () => {
  const inputs = { target: 'staging.yaml', only: '  auth.no-key/listModels \n\t\n  paging.limit/* ', budget: '5m' };
  const { steps, outputs, summary } = await judge(inputs, await stageWith());
  expect([...steps.keys()]).toEqual(['Install', 'Judge', 'Show']);
  expect([...steps].filter(([, { code }]) => code !== 0)).toEqual([]);
  expect(Object.fromEntries(outputs)).toEqual({ 'exit-code': '0', result: 'conformant' });
  expect(summary).toMatch(/Conformant/);
  expect(steps.get('Show')?.out).toBe('');
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
  const { steps } = await judge({ target: 'staging.yaml', suites: 'promises', only: 'own.*' }, stage);
  expect(steps.get('Judge')?.code, steps.get('Judge')?.err).toBe(0);
  expect(steps.get('Judge')?.out).toMatch(/1 of 1 own checks passed/);
});

test('every workflow pins its actions by commit', async () => {
  const workflows = globSync(['.github/workflows/*.yml', 'registry/verify/workflow.yml'], { cwd: project });
  expect(workflows).not.toEqual([]);
  for (const path of workflows) {
    const text = await readFile(join(project, path), 'utf8');
    const uses = [...text.matchAll(/^ *- uses: (.*)$/gm)].map(([, used]) => used);
    for (const used of uses) expect(used).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test('a package that npm would read as an option is refused', async () => {
  const { steps, summary } = await judge({ target: 'staging.yaml', package: '--globalconfig=x' }, await stageWith());
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
  const { steps, outputs, summary } = await judge(inputs, stage);
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
  const { steps, outputs, summary } = await judge(inputs, await stageWith());
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
  const options = { cwd: folder, env: { ...env, AWC_PACKAGE: inject('installed').tarball, AWC_ONLY: 'auth.no-key' } };
  for (const line of [...job.script, ...job.after_script]) {
    const { code, out, err } = await start('bash', ['--norc', '-eo', 'pipefail', '-c', line], options).finished;
    expect(code, line + out + err).toBe(0);
  }
  for (const path of [job.artifacts.reports.junit, 'conformance/report.json', 'conformance/report.html']) {
    expect(await readFile(join(folder, path), 'utf8')).not.toBe('');
  }
});
