import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Bundle } from '../../certificates/bundle/bundle.ts';
import { newVendor, vendorPath } from '../vendor.ts';
import { sealedAnew, sharedBundle, sharedVendor as key } from '../../testing/try-bundle.ts';
import { submissionOf, writeSubmission } from '../../testing/try-registry.ts';
import { finish } from '../../field/finish.ts';
import { plainEnvironment } from '../../field/plain-environment.ts';
import { readAction, type Ran, runAction, type Runner, setRunner } from '../../field/run-action.ts';

const action = await readAction('registry/verify');
let bundle: Bundle;
let runner: Runner;
beforeAll(async () => {
  runner = await setRunner(await mkdtemp(join(tmpdir(), 'awc-runner-')));
  bundle = await sharedBundle({ embedded: false });
});
afterAll(() => rm(runner.temp, { recursive: true, force: true }));

/** What the action makes of a pull request that adds this bundle to an empty registry. */
async function verified(submitted: Bundle): Promise<Ran & { readonly commit: string }> {
  const folder = await mkdtemp(join(runner.temp, 'pull-'));
  const registry = join(folder, 'registry');
  const git = (...args: readonly string[]) =>
    finish('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: registry });
  await mkdir(join(registry, 'vendors'), { recursive: true });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('commit', '--quiet', '--allow-empty', '--message', 'x');
  await git('switch', '--quiet', '--create', 'change');
  await writeFile(join(registry, vendorPath('acme')), JSON.stringify(newVendor('Acme', key)));
  await writeSubmission(registry, submissionOf('Acme', 'Workspace', '2.0'), submitted);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'x');
  const env = {
    ...plainEnvironment(),
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  };
  const { out: commit } = await git('rev-parse', 'HEAD');
  return {
    ...(await runAction(action, { registry: 'registry', base: 'main' }, { folder, env }, runner)),
    commit: commit.trim(),
  };
}

test('an honest submission is verified, and the comment shows it', async () => {
  const { steps, outputs, commit } = await verified(bundle);
  expect([...steps].filter(([, { code }]) => code !== 0)).toEqual([]);
  expect([outputs.get('exit-code'), outputs.get('label')]).toEqual(['0', 'certificate-verified']);
  expect(outputs.get('comment')).toMatch(new RegExp(`^\\*\\*certificate-verified\\*\\*: commit ${commit}, `));
  expect(outputs.get('comment')).toMatch(/^ {4}ok {7}submissions\/acme\/workspace\/2\.0: revision 1, judged again/m);
});

test('a forged submission is refused, and its texts are no Markdown and no command', async () => {
  const evil = '](https://evil.example.com) <script> ::error::x\nend';
  const forged = sealedAnew(bundle, key, { run: (run) => void (run.target.name = evil) });
  const { steps, outputs, summary } = await verified(forged);
  expect([outputs.get('exit-code'), outputs.get('label')]).toEqual(['1', 'certificate-refused']);
  for (const text of [outputs.get('comment') ?? '', summary]) {
    expect(text.split('\n').filter((line) => /refused {2}|evil|script/.test(line) && !line.startsWith('    '))).toEqual(
      [],
    );
  }
  expect(steps.get('Verify')?.out).toBe('');
});

test('a version that does not exist, or is no version, is not verified', async () => {
  for (const version of ['999.0.0', '1.0.0 --globalconfig=x']) {
    const later = sealedAnew(bundle, key, { run: ({ suite }) => void (suite.version = version) });
    const { outputs } = await verified(later);
    expect([version, outputs.get('exit-code'), outputs.get('label')]).toEqual([version, '4', 'certificate-unverified']);
  }
});

test('no input is written into a script, where it could be a command', () => {
  for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
});

const workflowSchema = z.object({
  on: z.object({ pull_request_target: z.object({ paths: z.array(z.string()) }) }),
  permissions: z.strictObject({}),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.literal(true) }),
  jobs: z.strictObject({
    clear: z.object({
      permissions: z.strictObject({ 'pull-requests': z.literal('write') }),
      steps: z.array(z.object({ run: z.string() })),
    }),
    verify: z.object({
      permissions: z.strictObject({ contents: z.literal('read') }),
      steps: z.array(
        z.strictObject({ id: z.string().optional(), uses: z.string(), with: z.record(z.string(), z.unknown()) }),
      ),
    }),
    report: z.object({
      needs: z.tuple([z.literal('clear'), z.literal('verify')]),
      if: z.literal('${{ !cancelled() }}'),
      permissions: z.strictObject({ issues: z.literal('write'), 'pull-requests': z.literal('write') }),
      steps: z.array(z.object({ run: z.string() })),
    }),
  }),
});

test('the job that reads a pull request can change nothing, and those that label and comment read none of its files', async () => {
  const path = fileURLToPath(new URL('workflow.yml', import.meta.url));
  const { jobs, concurrency } = workflowSchema.parse(parse(await readFile(path, 'utf8')));
  expect(concurrency.group).toBe('verify-${{ github.event.pull_request.number }}');
  for (const { run } of [...jobs.clear.steps, ...jobs.report.steps]) expect(run).not.toContain('${{');
  const inputs = jobs.verify.steps.at(-1)?.with ?? {};
  expect(Object.keys(inputs)).toEqual(Object.keys(action.inputs));
  expect(jobs.verify.steps[0]?.with).toMatchObject({ 'persist-credentials': false, path: 'registry' });
});
