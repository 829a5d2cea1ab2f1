import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from './user-error.ts';

/** Makes a folder that files will be written to, so that a wrong one is known before the work. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Writes a file whole or not at all: nobody ever reads half of it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${process.pid}-${Date.now()}.tmp`);
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw cannotWrite(path, error);
  }
}

/** Says that a path cannot be written, and why. */
export function cannotWrite(path: string, error: unknown): UserError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new UserError(`${path} cannot be written (${code}).`);
}
