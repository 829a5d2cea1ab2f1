import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { readLoadRecord } from '../shared/read-record.ts';
import { UserError } from '../shared/user-error.ts';

/** The most runs of a build that are compared. */
const mostTrials = 1000;
const fileName = 'load.json';

/**
 * The runs of one build: a load.json, a folder with one, or a folder of such folders. Rejects with UserError when there
 * are none.
 */
export async function readTrials(path: string): Promise<readonly LoadRecord[]> {
  const records: LoadRecord[] = [];
  for (const file of await trialFiles(path)) records.push(await readLoadRecord(file));
  return records;
}

async function trialFiles(path: string): Promise<readonly string[]> {
  if (!(await isFolder(path))) return [path];
  const names = (await readdir(path)).toSorted();
  if (names.includes(fileName)) return [join(path, fileName)];
  const folders: string[] = [];
  for (const name of names) {
    const inner = join(path, name);
    if ((await isFolder(inner)) && (await readdir(inner)).includes(fileName)) folders.push(join(inner, fileName));
  }
  if (folders.length === 0) throw new UserError(`${path} contains no ${fileName}, and neither does any folder in it.`);
  if (folders.length > mostTrials) throw new UserError(`${path} contains more than ${mostTrials} runs.`);
  return folders;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // reading it reports what is wrong
  }
}
