import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { finish } from './finish.ts';
import { plainEnvironment } from './plain-environment.ts';
import { setStage } from './set-stage.ts';

/** The lowest version that package.json allows. */
const lowest = /\d+\.\d+\.\d+/.exec(manifest.engines.node)?.[0] ?? '';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awc-node-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Installs that version of Node alone, puts it before all others of a user who has the package, and returns how to run it. */
async function installedOn(version: string): Promise<(...args: readonly string[]) => Promise<string>> {
  const node = await mkdtemp(join(folder, 'node-'));
  // Only the registry knows which version is the latest now.
  const offline = { npm_config_prefer_offline: String(version === lowest) };
  await writeFile(join(node, 'package.json'), '{ "private": true }');
  const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', `node@${version}`];
  await finish('npm', install, { cwd: node, env: { ...plainEnvironment(), ...offline } });
  const stage = await setStage(inject('installed'));
  onTestFinished(stage.clear);
  const env = { ...stage.env, PATH: `${join(node, 'node_modules/.bin')}:${stage.env['PATH']}` };
  return async (command, ...args) => (await finish(command ?? '', args, { cwd: stage.folder, env })).out;
}

// The latest only where it is asked for, because a new version of Node must not fail a change of the project.
const versions = process.env['AWC_LATEST_NODE'] === undefined ? [lowest] : [lowest, 'latest'];

test.each(versions)('on Node %s, the package runs, loads and reports', async (version) => {
  const run = await installedOn(version);
  const actual = await run('node', '--version');
  if (version === lowest) expect(actual.trim()).toBe(`v${lowest}`);
  expect(await run('awc', 'run', '--out', 'results')).toMatch(/^Conformant: /m);
  expect(await run('awc', 'report', 'results/report.json', '--format', 'html')).toContain('</html>');
  expect(await run('awc', 'load', '--profile', 'smoke', '--choice', 'pace=sluggish', '--out', 'load')).toMatch(/p99 /);
  const program = "import('analytics-workspace-conformance').then(({ run }) => console.log(typeof run))";
  expect(await run('node', '-e', program)).toBe('function\n');
});
