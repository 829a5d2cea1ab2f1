/** For tests: certified runs of the reference, and bundles that are sealed again with a key. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { virtualClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import type { Target } from '../core/target.ts';
import { createReference } from '../reference/reference.ts';
import { type RunRecord, recordSchema } from '../reports/record/record.ts';
import type { Bundle, BundleFile } from '../certificates/bundle/bundle.ts';
import { seedOfChallenge } from '../certificates/challenge.ts';
import { type Certified, certify } from '../certificates/certify.ts';
import { sealEnvelope } from '../certificates/bundle/envelope.ts';
import { createKeys } from '../certificates/bundle/keys.ts';
import { renderManifest } from '../certificates/bundle/manifest.ts';
import { type RunFile, runFileSchema } from '../certificates/bundle/run-file-schema.ts';
import { statementOf } from '../certificates/bundle/statement.ts';
import { keptBundle, keyOfName } from './kept-bundle.ts';

type ReferenceOptions = {
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  /** False for a reference that is certified as if it were a real deployment. */
  readonly embedded?: boolean;
  readonly challenge?: string;
  /** Puts another deployment, described by another target, in front of the reference. */
  readonly wrap?: (
    reference: Deployment,
    target: Target,
  ) => { readonly deployment: Deployment; readonly target: Target };
};

const sampleServer = {
  baseUrl: 'http://reference.invalid',
  tls: 'TLSv1.3',
  http: 'h2',
  chain: [{ subject: 'reference.invalid', issuer: 'An authority', sha256: 'a'.repeat(64) }],
};

export function newKey(): KeyObject {
  return createPrivateKey(createKeys().privateKey);
}

export function certifyReference(
  privateKey: KeyObject,
  { faults = [], choices = {}, embedded = true, challenge, wrap }: ReferenceOptions = {},
): Promise<Certified> {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1, faults, choices });
  const { deployment, target } = wrap?.(reference.deployment, reference.target) ?? reference;
  return certify({
    seed: challenge === undefined ? 1 : seedOfChallenge(challenge),
    ...(challenge === undefined ? {} : { challenge, servers: [sampleServer] }),
    embedded,
    notes: [],
    target,
    world: { deployment, clock },
    breathe: () => clock.sleep(0),
    privateKey,
  });
}

/** Who signs {@link sharedBundle}. */
export const sharedVendor = keyOfName('shared vendor');

const shared = new Map<string, Promise<Bundle>>();

/**
 * The bundle of a certified reference, signed by {@link sharedVendor}. All tests get the same one: to make it takes much longer
 * than to verify it.
 */
export function sharedBundle(
  options: Pick<ReferenceOptions, 'choices' | 'embedded' | 'challenge'> = {},
): Promise<Bundle> {
  const name = JSON.stringify(options);
  const made = shared.get(name) ?? keptBundle(`shared ${name}`, () => certifiedBundle(sharedVendor, options));
  shared.set(name, made);
  return made;
}

/** The bundle of a run that is certified. Throws if it is not. */
export async function certifiedBundle(privateKey: KeyObject, options: ReferenceOptions = {}): Promise<Bundle> {
  const certified = await certifyReference(privateKey, options);
  if (certified.kind === 'refused') throw new Error(certified.reasons.join('\n'));
  return certified.bundle;
}

/** What a verifier with this key gives to verify a bundle, on the day of the virtual clock. */
export function verifier(key?: KeyObject) {
  const trusted = key === undefined ? undefined : createPublicKey(key);
  return { trusted, now: Date.UTC(2026, 0, 31) };
}

export function textIn(bundle: Bundle, name: BundleFile): string {
  return Buffer.from(bundle.get(name) ?? []).toString('utf8');
}

/** The bundle with other files: nothing is signed anew. */
export function withFiles(bundle: Bundle, files: Partial<Readonly<Record<BundleFile, string>>>): Bundle {
  const changed = new Map(bundle);
  for (const [name, text] of bundle.keys().map((key) => [key, files[key]] as const)) {
    if (text !== undefined) changed.set(name, Buffer.from(text));
  }
  return changed;
}

export type Altered = {
  readonly record?: (record: RunRecord) => void;
  readonly run?: (run: RunFile) => void;
  /** Its lines, without the last empty one. */
  readonly exchanges?: (lines: string[]) => void;
};

/** The bundle as its vendor would seal it after altering what is in it: digests, statement and signature all agree. */
export function sealedAnew(
  bundle: Bundle,
  privateKey: KeyObject,
  { record: alterRecord, run, exchanges }: Altered,
): Bundle {
  const record = recordSchema.parse(JSON.parse(textIn(bundle, 'report.json')));
  alterRecord?.(record);
  const runFile = runFileSchema.parse(JSON.parse(textIn(bundle, 'run.json')));
  run?.(runFile);
  const lines = textIn(bundle, 'exchanges.ndjson').trimEnd().split('\n');
  exchanges?.(lines);
  const runText = JSON.stringify(runFile);
  const files = withFiles(bundle, {
    'report.json': JSON.stringify(record),
    'run.json': runText,
    'exchanges.ndjson': lines.map((line) => `${line}\n`).join(''),
  });
  const manifest = renderManifest(files);
  const statement = JSON.stringify(statementOf(runFile, record, manifest, runText));
  return withFiles(files, { 'manifest.sha256': manifest, 'certificate.json': sealEnvelope(statement, privateKey) });
}
