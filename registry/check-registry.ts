import { Malformed } from '../certificates/bundle/bundle.ts';
import type { Change } from './change.ts';
import {
  type Certified,
  exchangesDigest,
  type JudgeOptions,
  judgeSubmission,
  type ReadSubmission,
} from './judge-submission.ts';
import { pathOf, type Place } from './submission.ts';
import { readVendor, type Vendor, vendorChangeProblem, vendorPath } from './vendor.ts';

/** A registry as it is read: nothing in it is trusted. */
export type RegistryFiles = {
  /** Files and folders that do not belong there, one sentence each. */
  readonly problems: readonly string[];
  readonly places: readonly Place[];
  readonly readSubmission: (place: Place) => Promise<ReadSubmission>;
  /** The file of a vendor, now or before the change. Undefined if there is none. */
  readonly readVendor: (folder: string, when: 'now' | 'before') => Promise<string | undefined>;
};

/** A problem at a path of the registry. */
export type Problem = { readonly path: string; readonly reasons: readonly string[] };

type CheckOptions = Omit<JudgeOptions, 'vendor' | 'isNew'> & {
  /** Undefined judges everything. */
  readonly change: Change | undefined;
  /** Receives each submission that was judged and not refused. */
  readonly onCertified: (certified: Certified) => Promise<void> | void;
};

/** Judges the submissions of a registry, one at a time, or only those of a change. Returns what is wrong with it. */
export async function checkRegistry(files: RegistryFiles, options: CheckOptions): Promise<readonly Problem[]> {
  const { change, onCertified, ...judging } = options;
  const problems: Problem[] = [...files.problems, ...(change?.problems ?? [])].map((reason) => ({
    path: '',
    reasons: [reason],
  }));
  const vendors = new Map<string, Vendor | Problem>();
  const firstUse = new Map<string, string>();
  const added = new Set(change?.added.map(pathOf));

  async function vendorOf(folder: string): Promise<Vendor | Problem> {
    const known = vendors.get(folder) ?? (await vendorIn(files, folder));
    vendors.set(folder, known);
    return known;
  }

  if (change !== undefined) problems.push(...(await vendorProblems(files, change)));
  // What the change adds comes last, so that it is what was used before.
  for (const place of files.places.toSorted(
    (one, other) => Number(added.has(pathOf(one))) - Number(added.has(pathOf(other))),
  )) {
    const path = pathOf(place);
    const read = await files.readSubmission(place);
    const digest = exchangesDigest(read.bundle);
    const earlier = firstUse.get(digest);
    firstUse.set(digest, earlier ?? path);
    if (change !== undefined && !added.has(path)) continue;
    const vendor = await vendorOf(place.vendor);
    if ('path' in vendor) {
      problems.push({ path, reasons: vendor.reasons });
      continue;
    }
    const reused = earlier === undefined ? [] : [`${earlier} has the same bundle: a run certifies one submission`];
    const whole = { ...read, problems: [...read.problems, ...reused] };
    const judged = await judgeSubmission(whole, { vendor, isNew: change !== undefined, ...judging });
    if (judged.kind === 'refused') problems.push({ path, reasons: judged.reasons });
    else await onCertified(judged.certified);
  }
  return problems;
}

async function vendorIn(
  files: RegistryFiles,
  folder: string,
  when: 'now' | 'before' = 'now',
): Promise<Vendor | Problem> {
  const path = vendorPath(folder);
  const text = await files.readVendor(folder, when);
  if (text === undefined) return { path, reasons: [`${path} does not exist, so no key of the vendor is registered`] };
  try {
    return readVendor(text, folder);
  } catch (error) {
    if (error instanceof Malformed) return { path, reasons: [error.message] };
    throw error;
  }
}

/** Why the file of a vendor may not change as it did. A new vendor comes with a submission, which is judged by the file. */
async function vendorProblems(files: RegistryFiles, { vendor, added }: Change): Promise<readonly Problem[]> {
  if (vendor === undefined) return [];
  const path = vendorPath(vendor);
  if ((await files.readVendor(vendor, 'before')) === undefined) {
    return added.length > 0
      ? []
      : [{ path, reasons: ['the vendor is new: send its first submission in the same change'] }];
  }
  const [before, after] = [await vendorIn(files, vendor, 'before'), await vendorIn(files, vendor)];
  if ('path' in after) return [after];
  const problem = 'path' in before ? undefined : vendorChangeProblem(before, after);
  return problem === undefined ? [] : [{ path, reasons: [problem] }];
}
