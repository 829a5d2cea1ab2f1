import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { causeOf, errorCode } from '../../core/error-code.ts';
import { UserError } from './user-error.ts';

/** Creates a folder and checks that it is writable, so that an error shows before the work. */
export async function makeFolder(path: string): Promise<void> {
  const trial = draftIn(path);
  try {
    await makeWithParents(path);
    await writeFile(trial, '');
    await rm(trial);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** A unique name. */
function draftIn(folder: string): string {
  return join(folder, `.${process.pid}-${randomUUID()}.tmp`);
}

/** mkdir with `recursive` never returns in a folder such as /proc, which refuses new folders with ENOENT. */
async function makeWithParents(path: string): Promise<void> {
  try {
    await mkdir(path);
    return;
  } catch (error) {
    const parentIsMissing = errorCode(error) === 'ENOENT';
    if (!parentIsMissing || dirname(path) === path) return await mustBeFolder(path, error);
  }
  await makeWithParents(dirname(path));
  await mkdir(path).catch((error: unknown) => mustBeFolder(path, error));
}

async function mustBeFolder(path: string, error: unknown): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) throw error;
}

/** Writes a file completely or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = draftIn(dirname(path));
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw cannotWrite(path, error);
  }
}

/** Makes a folder that appears only when `fill` has written all of its files. An empty folder of that name is replaced. */
export async function writeFolderWhole(path: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const place = resolve(path);
  const draft = await mkdtemp(join(dirname(place), '.awc-')).catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  try {
    await fill(draft);
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw cannotWrite(path, error);
  }
}

export function cannotWrite(path: string, error: unknown): UserError {
  return new UserError(`${path} cannot be written (${causeOf(error)}).`);
}
