import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundle } from './bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built package: the path of its launcher, the URL of the module that the launcher starts, and where tests keep bundles. */
    built?: { readonly launcher: string; readonly main: string; readonly bundles: string };
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/built');

/** In milliseconds: what was not used for so long is deleted. */
const keptMs = 86_400_000;

/**
 * Builds the package once for all tests that start `awc` as a process, because the sources take half as long again to start. The folder
 * is named by the digest of everything that may be in it, so what is there is never out of date.
 */
export async function setup(project: TestProject): Promise<void> {
  const folder = join(cache, digestOfSources());
  await mkdir(cache, { recursive: true });
  await removeUnused();
  const now = new Date();
  await utimes(folder, now, now).catch(() => buildIn(folder));
  const main = pathToFileURL(join(folder, 'dist/cli/main.js')).href;
  project.provide('built', { launcher: join(folder, 'cli/awc.mjs'), main, bundles: join(folder, 'bundles') });
}

function digestOfSources(): string {
  const left = ['node_modules', 'dist', 'coverage', 'reports/out', '**/*.test.ts'];
  const paths = globSync(['**/*.{ts,json}', 'cli/awc.mjs'], { cwd: root, exclude: left }).toSorted();
  const digest = createHash('sha256').update(root); // the folder has links to the checkout
  for (const path of paths) digest.update(`${path}\n`).update(readFileSync(join(root, path)));
  return digest.digest('hex').slice(0, 32);
}

/** Elsewhere first: another process may build the same, and the first one to end is used. */
async function buildIn(folder: string): Promise<void> {
  const made = await mkdtemp(`${folder}-`);
  await bundle(join(made, 'dist'));
  await mkdir(join(made, 'cli'));
  for (const path of ['cli/awc.mjs', 'package.json']) await copyFile(join(root, path), join(made, path));
  await symlink(join(root, 'profiles'), join(made, 'profiles'));
  await rename(made, folder).catch(() => rm(made, { recursive: true }));
}

async function removeUnused(): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    const usedAt = await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now); // another process may have moved it
    if (Date.now() - usedAt > keptMs) await rm(path, { recursive: true, force: true });
  }
}
