import { constants, type Dirent } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bundle, type BundleFile, bundleFiles, isBundleFile } from '../../certificates/bundle/bundle.ts';
import { shown } from '../../core/text.ts';
import { UserError } from '../shared/user-error.ts';

/** The most entries of a folder to read, and the most foreign names to show. */
const maxEntries = 64;
const maxShown = 8;

/** The bundle in a folder, and what is wrong with the folder. */
type ReadBundle = { readonly bundle: Bundle; readonly problems: readonly string[] };

/** Reads only plain files with known names, each up to its bound. Rejects with UserError if there is no such folder. */
export async function readBundle(folder: string): Promise<ReadBundle> {
  const entries = await firstEntries(folder, maxEntries);
  if (entries === undefined) {
    throw new UserError(`${folder} is not a readable folder: name the folder that awc certify wrote.`);
  }
  const foreign = entries.filter(({ name }) => !isBundleFile(name)).map(({ name }) => shown(name, 80));
  const problems = [
    ...foreign.slice(0, maxShown).map((name) => `${name} was added: it is not a file of a bundle`),
    ...(foreign.length > maxShown ? ['and more files were added'] : []),
  ];
  const bundle = new Map<BundleFile, Uint8Array>();
  for (const entry of entries) {
    const { name } = entry;
    if (!isBundleFile(name)) continue;
    if (entry.isFile()) {
      const bytes = await readPlainFile(join(folder, name), bundleFiles[name]);
      if (bytes === undefined) problems.push(`${name} cannot be read, or is larger than ${bundleFiles[name]} bytes`);
      else bundle.set(name, bytes);
    } else problems.push(`${name} is not a plain file: links are not followed`);
  }
  return { bundle, problems };
}

/** At most `most` entries of a folder, which may hold millions. Undefined if it cannot be read. */
export async function firstEntries(folder: string, most: number): Promise<readonly Dirent[] | undefined> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      entries.push(entry);
      if (entries.length >= most) break;
    }
  } catch {
    return undefined;
  }
  return entries;
}

/** Undefined for a file that is too large or cannot be read. It does not follow a link that replaced the file. */
export async function readPlainFile(path: string, mostBytes: number): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const status = await file.stat();
    if (!status.isFile() || status.size > mostBytes) return undefined;
    const bytes = Buffer.alloc(status.size);
    const { bytesRead } = await file.read(bytes, 0, status.size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
