import { join } from 'node:path';
import type { RegistryFiles } from '../../registry/check-registry.ts';
import type { ReadSubmission } from '../../registry/judge-submission.ts';
import { isFolderName, isVersion } from '../../registry/names.ts';
import { maxSubmissionBytes, pathOf, type Place } from '../../registry/submission.ts';
import { maxVendorBytes, vendorPath } from '../../registry/vendor.ts';
import { shown } from '../../core/text.ts';
import { firstEntries, readPlainFile, readBundle } from '../certificates/read-bundle.ts';
import { UserError } from '../shared/user-error.ts';

/** The most entries of one folder, and the most submissions of a registry. */
const maxEntries = 2000;
const maxSubmissions = 5000;

/** The most problems to name. */
const maxProblems = 20;

/** Lists the submissions of a registry; their files are read one by one. Rejects with UserError if there is no registry. */
export async function readRegistry(
  folder: string,
  vendorBefore: (folder: string) => Promise<string | undefined>,
): Promise<RegistryFiles> {
  const problems: string[] = [];
  const places: Place[] = [];

  async function foldersIn(path: string, isRight: (name: string) => boolean): Promise<readonly string[]> {
    const entries = await firstEntries(join(folder, path), maxEntries);
    if (entries === undefined) {
      problems.push(`${path} cannot be read`);
      return [];
    }
    if (entries.length >= maxEntries) problems.push(`${path} has ${maxEntries} entries or more`);
    const right = entries.filter((entry) => entry.isDirectory() && isRight(entry.name));
    for (const { name } of entries.filter((entry) => !right.includes(entry))) {
      problems.push(`${path}/${shown(name, 80)} does not belong there`);
    }
    return right.map(({ name }) => name).toSorted();
  }

  const root = 'submissions';
  const top = await firstEntries(folder, maxEntries);
  if (top === undefined) throw new UserError(`${folder} is not a readable folder: name the checkout of a registry.`);
  if (!top.some((entry) => entry.name === root && entry.isDirectory())) {
    throw new UserError(`${folder} has no folder ${root}: awc submit makes it.`);
  }
  for (const vendor of await foldersIn(root, isFolderName)) {
    for (const product of await foldersIn(`${root}/${vendor}`, isFolderName)) {
      for (const version of await foldersIn(`${root}/${vendor}/${product}`, isVersion)) {
        places.push({ vendor, product, version });
      }
    }
  }
  if (places.length > maxSubmissions) throw new UserError(`${folder} has more than ${maxSubmissions} submissions.`);
  return {
    problems: problems.slice(0, maxProblems),
    places,
    readSubmission: (place) => readPlace(folder, place),
    readVendor: (vendor, when) =>
      when === 'before' ? vendorBefore(vendor) : readText(join(folder, vendorPath(vendor)), maxVendorBytes),
  };
}

async function readPlace(folder: string, place: Place): Promise<ReadSubmission> {
  const path = join(folder, pathOf(place));
  const entries = await firstEntries(path, maxEntries);
  if (entries === undefined) {
    return { place, text: '', bundle: new Map(), problems: [`${pathOf(place)} cannot be read`] };
  }
  const foreign = entries.filter(
    (entry) =>
      !(entry.name === 'submission.json' && entry.isFile()) && !(entry.name === 'bundle' && entry.isDirectory()),
  );
  const text = await readText(join(path, 'submission.json'), maxSubmissionBytes);
  const hasBundle = entries.some((entry) => entry.name === 'bundle' && entry.isDirectory());
  const { bundle, problems } = hasBundle
    ? await readBundle(join(path, 'bundle'))
    : { bundle: new Map(), problems: ['the folder bundle is missing'] };
  return {
    place,
    text: text ?? '',
    bundle,
    problems: [
      ...foreign.slice(0, maxProblems).map(({ name }) => `${shown(name, 80)} does not belong to a submission`),
      ...(text === undefined ? ['submission.json is missing, too large or not a plain file'] : []),
      ...problems,
    ],
  };
}

async function readText(path: string, mostBytes: number): Promise<string | undefined> {
  const bytes = await readPlainFile(path, mostBytes);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}
