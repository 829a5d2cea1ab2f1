import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { realClock } from '../core/clock.ts';
import { createReference } from '../reference/reference.ts';
import { serve } from '../reference/http/serve.ts';
import { targetFile } from '../reference/target-file.ts';
import { plainEnvironment } from './plain-environment.ts';
import type { InstalledPackage } from './installed-package.ts';

/** A user's folder and its whole environment. */
export type Stage = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clear: () => Promise<void>;
};

/** A busy machine uses up this quota too. With the usual one, a window often ends before, and the rate probe needs thousands of requests. */
export const smallQuota = { 'rate-quota': '20-in-1s' } as const;

/** The folder that CONTRIBUTING.md describes: the package, a target file, and its keys in the environment. */
export async function setStage(installed: InstalledPackage, faults: readonly string[] = []): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-stage-'));
  const manifest = { private: true, type: 'commonjs', scripts: { awc: 'awc' } }; // the type that npm init writes
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await symlink(join(installed.folder, 'node_modules'), join(folder, 'node_modules'));
  const { deployment, target } = createReference({
    clock: realClock,
    seed: 1,
    faults,
    choices: smallQuota,
    latencyMs: [0, 0],
  });
  const server = await serve(deployment, { port: 0, host: '127.0.0.1' });
  const served = { ...target, name: 'Staging', baseUrl: server.url };
  await writeFile(join(folder, 'staging.yaml'), targetFile(served));
  const keys = target.principals.map(({ name, key }) => [`AWC_KEY_${name.toUpperCase()}`, key] as const);
  const bin = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH'] ?? ''];
  async function clear(): Promise<void> {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  const env = {
    ...plainEnvironment(),
    ...Object.fromEntries(keys),
    AWC_BASE_URL: server.url,
    PATH: bin.join(':'),
    NODE_COMPILE_CACHE: join(installed.folder, '.compiled'), // a fifth of what starting the package takes
  };
  return { folder, env, clear };
}
