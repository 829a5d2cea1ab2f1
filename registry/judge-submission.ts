import type { KeyObject } from 'node:crypto';
import { type Bundle, Malformed } from '../certificates/bundle/bundle.ts';
import { keyId, readPublicKey } from '../certificates/bundle/keys.ts';
import type { RunFile } from '../certificates/bundle/run-file-schema.ts';
import { type Sealed, verifyBundle } from '../certificates/verify-bundle.ts';
import { sha256 } from '../core/hash.ts';
import type { Exchange } from '../core/exchange.ts';
import { redactorOf } from '../core/redaction/redact.ts';
import { standInTarget } from '../certificates/bundle/run-file.ts';
import { exchangeRecord } from '../reports/record/exchange-record.ts';
import type { ExchangeRecord } from '../reports/record/record.ts';
import { type Place, readSubmission, type Submission } from './submission.ts';
import { type Calendar, expiryOf, isValid } from './validity.ts';
import type { Vendor } from './vendor.ts';

/** A submission as it was read, with what is wrong with its files. */
export type ReadSubmission = {
  readonly place: Place;
  readonly text: string;
  readonly bundle: Bundle;
  readonly problems: readonly string[];
};

/** A submission that the registry shows. */
export type Certified = Sealed & {
  readonly place: Place;
  readonly submission: Submission;
  /** Whether this suite judged it again; another version can only see that it is signed and whole. */
  readonly isJudged: boolean;
  /** See `expiryOf`. */
  readonly expires: string | undefined;
  /** The first and the last exchange of each check, by its id; empty unless asked for. */
  readonly evidence: ReadonlyMap<string, readonly ExchangeRecord[]>;
};

export type Judged =
  | { readonly kind: 'certified'; readonly certified: Certified }
  | { readonly kind: 'refused'; readonly place: Place; readonly reasons: readonly string[] };

export type JudgeOptions = {
  readonly vendor: Vendor;
  /** Whether a change adds it: then it needs the vendor's latest key, and must be valid today. */
  readonly isNew: boolean;
  readonly calendar: Calendar;
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly wantsEvidence: boolean;
};

/** Judges a submission by its metadata, the keys of its vendor, and the run in its bundle. */
export async function judgeSubmission(read: ReadSubmission, options: JudgeOptions): Promise<Judged> {
  const { place, problems } = read;
  if (problems.length > 0) return { kind: 'refused', place, reasons: problems };
  try {
    return await judgeWhole(read, options);
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'refused', place, reasons: [error.message] };
    throw error;
  }
}

async function judgeWhole(
  { place, text, bundle }: ReadSubmission,
  { vendor, isNew, calendar, now, wantsEvidence }: JudgeOptions,
): Promise<Judged> {
  const submission = readSubmission(text, place);
  if (submission.vendor !== vendor.file.vendor) throw new Malformed('submission.json writes the vendor in another way');
  const exchanges = new Map<string, readonly Exchange[]>();
  const onEvidence = (id: string, own: readonly Exchange[]) => void exchanges.set(id, ends(own));
  const verification = await verifyBundle(bundle, {
    trusted: signerOf(bundle, vendor, isNew),
    now,
    ...(wantsEvidence ? { onEvidence } : {}),
  });
  if (verification.kind === 'refused') return { kind: 'refused', place, reasons: verification.reasons };
  const { run, record, key } = verification;
  if (run.embedded) throw new Malformed('the bundle certifies the embedded reference, which is not a product');
  if (record.result !== 'conformant') throw new Malformed('the run in the bundle is not conformant');
  const expires = expiryOf(run.suite.version, run.revision.number, calendar);
  if (isNew && !isValid(expires, now)) throw new Malformed(`the certificate expired on ${expires}`);
  const isJudged = verification.kind === 'verified';
  const evidence = recordsOf(exchanges, run);
  return { kind: 'certified', certified: { place, submission, run, record, key, isJudged, expires, evidence } };
}

function ends(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.length > 2 ? [...exchanges.slice(0, 1), ...exchanges.slice(-1)] : exchanges.slice();
}

function recordsOf(exchanges: ReadonlyMap<string, readonly Exchange[]>, run: RunFile): Certified['evidence'] {
  const target = standInTarget(run);
  const redactor = redactorOf(target);
  return new Map(
    [...exchanges].map(([id, own]) => [id, own.map((exchange) => exchangeRecord(exchange, target, redactor))]),
  );
}

/** The registered key that signed the bundle. What is new needs the latest key, because an older one may be lost. */
function signerOf(bundle: Bundle, { keys }: Vendor, isNew: boolean): KeyObject {
  const own = readPublicKey(Buffer.from(bundle.get('public-key.pem') ?? []).toString('latin1'), 'public-key.pem');
  const registered = keys.findIndex((key) => keyId(key) === keyId(own));
  const key = keys[registered];
  if (key === undefined) throw new Malformed('the vendor has not registered the key that signed the bundle');
  if (isNew && registered < keys.length - 1) throw new Malformed('the bundle is signed with a key that was replaced');
  return key;
}

/** The digest of what the deployment answered, without the line that holds the date: the same for a bundle that is sealed anew. */
export function exchangesDigest(bundle: Bundle): string {
  const bytes = Buffer.from(bundle.get('exchanges.ndjson') ?? []);
  return sha256(bytes.subarray(bytes.indexOf('\n') + 1));
}
