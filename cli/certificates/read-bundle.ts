import { constants, type Dirent } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bundle, type BundleFile, bundleFiles, isBundleFile } from '../../certificates/bundle/bundle.ts';
import { shown } from '../../core/text.ts';
import { UserError } from '../shared/user-error.ts';

/** Entries of a folder that are read, and foreign names that are shown. */
const maxEntries = 64;
const maxTold = 8;

/** The bundle in a folder, and what is wrong with the folder. */
type ReadBundle = { readonly bundle: Bundle; readonly problems: readonly string[] };

/** Reads plain files of known names alone, each up to its bound. Rejects with UserError when there is no such folder. */
export async function readBundle(folder: string): Promise<ReadBundle> {
  const entries = await firstEntries(folder);
  const foreign = entries.filter(({ name }) => !isBundleFile(name)).map(({ name }) => shown(name, 80));
  const problems = [
    ...foreign.slice(0, maxTold).map((name) => `${name} was added: it is no file of a bundle`),
    ...(foreign.length > maxTold ? ['and more files were added'] : []),
  ];
  const bundle = new Map<BundleFile, Uint8Array>();
  for (const entry of entries) {
    const { name } = entry;
    if (!isBundleFile(name)) continue;
    if (entry.isFile()) {
      const bytes = await readBounded(join(folder, name), bundleFiles[name]);
      if (bytes === undefined) problems.push(`${name} cannot be read, or is larger than ${bundleFiles[name]} bytes`);
      else bundle.set(name, bytes);
    } else problems.push(`${name} is no plain file: links and the like are not followed`);
  }
  return { bundle, problems };
}

/** A folder may hold millions of files: a bundle that holds so few more is refused already. */
async function firstEntries(folder: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      entries.push(entry);
      if (entries.length >= maxEntries) break;
    }
  } catch {
    throw new UserError(`${folder} is no folder that can be read: name the folder that awc certify wrote.`);
  }
  return entries;
}

/** Undefined for a file that is too large or cannot be read. A link that took its place meanwhile is not followed. */
async function readBounded(path: string, mostBytes: number): Promise<Uint8Array | undefined> {
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
