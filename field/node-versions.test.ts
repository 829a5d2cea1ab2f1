import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { finish } from './finish.ts';
import { plainEnvironment } from './plain-environment.ts';

/** The lowest version that package.json allows. */
const lowest = /\d+\.\d+\.\d+/.exec(manifest.engines.node)?.[0] ?? '';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awc-node-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Installs the packed package beside that version of Node, with npm as a new user has it, and returns how to run it. */
async function installedOn(version: string): Promise<(...args: readonly string[]) => Promise<string>> {
  const cwd = await mkdtemp(join(folder, 'project-'));
  const path = `${join(cwd, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  // Only the registry knows which version is the latest now.
  const env = { ...plainEnvironment(), npm_config_prefer_offline: String(version === lowest), PATH: path };
  await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "commonjs" }');
  const packages = [`node@${version}`, inject('installed').tarball];
  await finish('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], { cwd, env });
  return async (command, ...args) => (await finish(command ?? '', args, { cwd, env })).out;
}

test.each([lowest, 'latest'])('on Node %s, the package runs, loads and reports', async (version) => {
  const run = await installedOn(version);
  const actual = await run('node', '--version');
  if (version === lowest) expect(actual.trim()).toBe(`v${lowest}`);
  expect(await run('awc', 'run', '--out', 'results')).toMatch(/^Conformant: /m);
  expect(await run('awc', 'report', 'results/report.json', '--format', 'html')).toContain('</html>');
  expect(await run('awc', 'load', '--profile', 'smoke', '--out', 'load')).toMatch(/p99 /);
  const program = "import('analytics-workspace-conformance').then(({ run }) => console.log(typeof run))";
  expect(await run('node', '-e', program)).toBe('function\n');
});
