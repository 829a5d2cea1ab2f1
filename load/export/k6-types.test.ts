import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { realClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { loadProfile, shippedProfiles } from '../profile/profile-file.ts';
import { exportScript } from './export-script.ts';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const compilerOptions = {
  allowJs: true,
  checkJs: true,
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['k6'],
};

/** What the compiler says about scripts, with the types that k6 publishes. */
async function typeErrors(scripts: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-k6-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(modules, join(folder, 'node_modules'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.js'] }));
  for (const [name, script] of scripts) await writeFile(join(folder, `${name}.js`), script);
  const tsc = join(modules, 'typescript/bin/tsc');
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, '-p', '.'], { cwd: folder }, (_, text) => resolve(text));
  });
  return stdout.split('\n').filter((line) => line !== '');
}

const { target } = createReference({ clock: realClock, seed: 1, latencyMs: [0, 0] });

const scripts = new Map(
  shippedProfiles().flatMap((name) => {
    const exported = exportScript('k6', loadProfile(name, {}), target);
    return 'script' in exported ? [[name, exported.script] as const] : [];
  }),
);

test('every shipped profile that can be exported has the types of k6', async () => {
  expect([...scripts.keys()]).toEqual(['flow', 'ramp', 'smoke', 'soak', 'spike', 'steady']);
  expect(await typeErrors(scripts)).toEqual([]);
});

const mistakes = [
  ['startRate', 'startRates'],
  ['ramping-arrival-rate', 'ramping-arrivals'],
  ['expectedStatuses', 'expectStatuses'],
  ['error_code', 'errorCode'],
] as const;

test('the types of k6 do not allow wrong names of options, executors, functions and fields', async () => {
  const script = scripts.get('flow') ?? '';
  const wrong = mistakes.map(([right, name]) => [name, script.replaceAll(right, name)] as const);
  const errors = await typeErrors(new Map(wrong));
  for (const [, name] of mistakes) expect(errors).toContainEqual(expect.stringMatching(`^${name}\\.js.*'"?${name}"?'`));
});
