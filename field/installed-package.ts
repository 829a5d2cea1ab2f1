import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { finish } from './finish.ts';
import { plainEnvironment } from './plain-environment.ts';

/** The package as a user gets it. */
export type InstalledPackage = {
  /** The packed archive. */
  readonly tarball: string;
  /** An otherwise empty folder in which npm has installed it. */
  readonly folder: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    installed: InstalledPackage;
  }
}

/** Packs and installs the package once for all tests of this project, which get its paths by `inject`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'awc-field-'));
  const folder = join(root, 'installed');
  await mkdir(folder);
  await finish('npm', ['pack', '--silent', '--pack-destination', root], { cwd: project.config.root });
  const name = (await readdir(root)).find((entry) => entry.endsWith('.tgz')) ?? '';
  const tarball = join(root, name);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await finish('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball], {
    cwd: folder,
    env: plainEnvironment(),
  });
  project.provide('installed', { tarball, folder });
  return () => rm(root, { recursive: true, force: true });
}
