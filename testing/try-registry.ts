/** For tests: a registry of six submissions, with the keys of its vendors. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import type { Bundle } from '../certificates/bundle/bundle.ts';
import { publicPem } from '../certificates/bundle/keys.ts';
import { folderOf } from '../registry/names.ts';
import { pathOf, placeOf, type Submission } from '../registry/submission.ts';
import type { Calendar } from '../registry/validity.ts';
import { newVendor, readVendor, rotated, vendorPath } from '../registry/vendor.ts';
import { keptBundle, keyOfName } from './kept-bundle.ts';
import { certifiedBundle, sealedAnew, sharedBundle, withFiles } from './try-bundle.ts';

/** The dates under which the oldest of the six has expired on the day of the virtual clock. */
export const sixCalendar: Calendar = {
  releases: new Map([
    ['0.0.9', '2024-06-01'],
    ['0.1.0', '2025-12-01'],
  ]),
  revisions: new Map([
    [1, '2024-06-01'],
    [2, '2025-03-01'],
  ]),
};

export type SampleBundles = Readonly<Record<'plain' | 'clamping' | 'marking', Bundle>>;

export const keys = {
  old: keyOfName('old'),
  acme: keyOfName('acme'),
  borealis: keyOfName('borealis'),
  cobalt: keyOfName('cobalt'),
  dune: keyOfName('dune'),
};

/** Runs of the reference with different choices, each signed by its vendor. All tests get the same ones. */
export function certifySamples(): Promise<SampleBundles> {
  return (samples ??= makeSamples());
}

let samples: Promise<SampleBundles> | undefined;

async function makeSamples(): Promise<SampleBundles> {
  return {
    plain: sealedAnew(keyed(await sharedBundle({ embedded: false }), keys.acme), keys.acme, {}),
    clamping: await certified('borealis', { 'limit-out-of-range': 'clamp', 'key-header': 'x-request-id' }),
    marking: await certified('cobalt', { 'deleted-sources': 'deleted-at', 'message-roles': 'user-agent' }),
  };
}

function certified(vendor: keyof typeof keys, choices: Readonly<Record<string, string>>): Promise<Bundle> {
  const name = `${vendor} ${JSON.stringify(choices)}`;
  return keptBundle(name, () => certifiedBundle(keys[vendor], { choices, embedded: false }));
}

export function submissionOf(vendor: string, product: string, version: string): Submission {
  return {
    format: 'awc-submission/1',
    vendor,
    product,
    version,
    website: `https://${vendor.toLowerCase()}.example.com`,
    contact: `api@${vendor.toLowerCase()}.example.com`,
  };
}

/** Six submissions: three judged again, one that expired, one of a later suite and revision, and a forged one. */
export async function writeSix(folder: string, { plain, clamping, marking }: SampleBundles): Promise<void> {
  const first = newVendor('Acme', keys.old);
  await writeVendor(folder, rotated(readVendor(JSON.stringify(first), 'acme'), keys.old, keys.acme));
  await writeVendor(folder, newVendor('Borealis', keys.borealis));
  await writeVendor(folder, newVendor('Cobalt', keys.cobalt));
  await writeVendor(folder, newVendor('Dune', keys.dune));
  const older = sealedAnew(keyed(plain, keys.old), keys.old, {
    run: ({ suite }) => void (suite.version = '0.0.9'),
    exchanges: shorten,
  });
  const later = sealedAnew(keyed(marking, keys.dune), keys.dune, {
    run(run) {
      run.suite.version = '0.2.0';
      run.revision.number = 2;
    },
    exchanges: shorten,
  });
  const forged = sealedAnew(clamping, keys.borealis, {
    record({ checks, summary }) {
      for (const check of checks) if (check.verdict === 'warned') check.verdict = 'passed';
      summary.warned = 0;
    },
    exchanges: (lines) => void lines.splice(-3, 1),
  });
  await writeSubmission(folder, submissionOf('Acme', 'Workspace', '1.0'), older);
  await writeSubmission(folder, submissionOf('Acme', 'Workspace', '2.0'), plain);
  await writeSubmission(folder, submissionOf('Borealis', 'Insights', '5.1'), clamping);
  await writeSubmission(folder, submissionOf('Borealis', 'Forged', '1.0'), forged);
  await writeSubmission(folder, submissionOf('Cobalt', 'Notebook', '2026.1'), marking);
  await writeSubmission(folder, submissionOf('Dune', 'Lake', '3.0'), later);
}

function shorten(lines: string[]): void {
  lines.splice(-3, 1);
}

function keyed(bundle: Bundle, key: KeyObject): Bundle {
  return withFiles(bundle, { 'public-key.pem': publicPem(key) });
}

async function writeVendor(folder: string, file: ReturnType<typeof newVendor>): Promise<void> {
  await write(join(folder, vendorPath(folderOf(file.vendor))), JSON.stringify(file));
}

export async function writeSubmission(folder: string, submission: Submission, bundle: Bundle): Promise<void> {
  const path = join(folder, pathOf(placeOf(submission)));
  await write(join(path, 'submission.json'), JSON.stringify(submission));
  await writeBundleFiles(join(path, 'bundle'), bundle);
}

export async function writeBundleFiles(folder: string, bundle: Bundle): Promise<void> {
  for (const [name, bytes] of bundle) await write(join(folder, name), bytes);
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
