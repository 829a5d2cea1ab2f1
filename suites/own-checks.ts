import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from '../engine/check.ts';
import { isOwnCheck, type OwnId } from '../engine/own-check.ts';
import { suites } from './index.ts';
import { placeOf } from './place-of-error.ts';

/** A problem with a folder of own checks: a sentence that names the file and the remedy. */
export class OwnChecksError extends Error {
  override readonly name = 'OwnChecksError';
}

/** The most files in one folder. */
const maxFiles = 1000;

/**
 * The own checks of a folder: every file of JavaScript or TypeScript that is not a test exports an array `checks`. The checks
 * are in the order of the file names. Rejects with {@link OwnChecksError}.
 */
export async function ownChecks(folder: string): Promise<readonly Check<OwnId>[]> {
  const names = (await namesIn(folder)).filter((name) => /\.m?[jt]s$/.test(name) && !/\.(test|d)\.m?[jt]s$/.test(name));
  if (names.length === 0) throw new OwnChecksError(`${folder} holds no file of checks: .js, .mjs, .ts or .mts.`);
  if (names.length > maxFiles) throw new OwnChecksError(`${folder} holds more than ${maxFiles} files.`);
  const places = new Map<string, string>();
  const checks: Check<OwnId>[] = [];
  for (const name of names.toSorted()) {
    const path = join(folder, name);
    for (const check of await checksIn(path)) {
      const earlier = places.get(check.id);
      if (earlier !== undefined)
        throw new OwnChecksError(`${path}: ${check.id} is the id of a check in ${earlier} too.`);
      places.set(check.id, path);
      checks.push(check);
    }
  }
  return checks;
}

/** The checks of the suite, then the vendor's own checks in the folder, if any. Rejects with {@link OwnChecksError}. */
export async function allChecks(folder: string | undefined): Promise<readonly Check<string>[]> {
  return folder === undefined ? suites : [...suites, ...(await ownChecks(folder))];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    throw new OwnChecksError(`${folder} is no folder that can be read.`);
  }
}

async function checksIn(path: string): Promise<readonly Check<OwnId>[]> {
  const exported = await exportsOf(path);
  if (!Array.isArray(exported)) throw new OwnChecksError(`${path} exports no array named checks.`);
  const checks: readonly unknown[] = exported;
  if (checks.length === 0) throw new OwnChecksError(`${path} exports no check: its array is empty.`);
  return checks.map((check) => {
    if (isOwnCheck(check)) return check;
    throw new OwnChecksError(
      `${path}: every one of checks must be made by check() of the analytics-workspace-conformance that runs it. Start awc by npx in the project that the folder belongs to.`,
    );
  });
}

async function exportsOf(path: string): Promise<unknown> {
  try {
    const module: { readonly checks?: unknown } = await import(pathToFileURL(resolve(path)).href);
    return module.checks;
  } catch (error) {
    const place = error instanceof Error ? await placeOf(error, path) : undefined;
    throw new OwnChecksError(`${place ?? path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
