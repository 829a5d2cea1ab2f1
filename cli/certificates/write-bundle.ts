import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundle } from '../../certificates/bundle/bundle.ts';
import { UserError } from '../shared/user-error.ts';
import { cannotWrite, makeFolder, writeFolderWhole } from '../shared/write-whole.ts';

/** Makes sure, before the run, that a bundle can be written: the folder does not exist yet, or is empty. */
export async function prepareBundleFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  try {
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    throw cannotWrite(folder, error);
  }
  throw new UserError(`${folder} is not empty: name a new folder, so that the bundle holds nothing else.`);
}

/** Writes a bundle whole or not at all: the folder appears only with all files. */
export async function writeBundle(folder: string, bundle: Bundle): Promise<void> {
  await writeFolderWhole(folder, async (draft) => {
    for (const [name, bytes] of bundle) await writeFile(join(draft, name), bytes, { flush: true });
  });
}
