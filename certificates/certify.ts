import type { KeyObject } from 'node:crypto';
import { type Redactor, redactorOf } from '../core/redaction/redact.ts';
import type { Target } from '../core/target.ts';
import { identity } from '../reports/record/identity.ts';
import type { CheckRecord, RunRecord } from '../reports/record/record.ts';
import { currentRevision } from '../spec/revisions/revisions.ts';
import { type Bundle, type BundleFile, bundleFiles } from './bundle/bundle.ts';
import { judgeRecording, judgeRevision } from './judge-revision.ts';
import { obstacles } from './obstacles.ts';
import { recordWorld, type World } from './recording/record-world.ts';
import type { Recording } from './recording/recording.ts';
import { redactRecording } from './recording/redact-recording.ts';
import { runFileOf, type RunPremises } from './bundle/run-file.ts';
import type { RunFile } from './bundle/run-file-schema.ts';
import { verifyBundle } from './verify-bundle.ts';
import { safeJson } from '../reports/text/safe-json.ts';
import { sealEnvelope } from './bundle/envelope.ts';
import { publicPem } from './bundle/keys.ts';
import { renderManifest } from './bundle/manifest.ts';
import { statementOf } from './bundle/statement.ts';
import { renderRecording } from './bundle/written-recording.ts';

export type CertifyOptions = Pick<RunPremises, 'seed' | 'challenge' | 'servers' | 'embedded' | 'notes'> & {
  readonly target: Target;
  readonly world: World;
  /** See {@link recordWorld}. */
  readonly breathe: () => Promise<void>;
  readonly privateKey: KeyObject;
  readonly onCheck?: (check: CheckRecord) => void;
};

export type Certified =
  | { readonly kind: 'certified'; readonly record: RunRecord; readonly bundle: Bundle }
  | { readonly kind: 'refused'; readonly record: RunRecord; readonly reasons: readonly string[] };

/**
 * Judges by the current revision, and seals the result if no must is violated and nothing is blocked. Rejects if the bundle
 * does not verify: then the suite is at fault, or a key looks like other text.
 */
export async function certify({
  world,
  breathe,
  privateKey,
  onCheck,
  ...premises
}: CertifyOptions): Promise<Certified> {
  const { suite } = identity();
  const { number, digest, errata } = currentRevision;
  const revision = { number, digest, ...(errata.length > 0 ? { errata: errata.length } : {}) };
  const { target } = premises;
  const recorded = recordWorld(world, breathe);
  const startedAt = new Date(recorded.startMs).toISOString();
  const run = runFileOf({ suite, revision, startedAt, ...premises });
  const record = await judgeRevision(run, target, recorded.world, { onCheck });
  const reasons = obstacles(record, currentRevision);
  if (reasons.length > 0) return { kind: 'refused', record, reasons };

  const redactor = redactorOf(target);
  const recording = redactRecording(recorded.recording(), redactor);
  const bundle = makeBundle({ run, record: await recordOf(run, recording, record), recording }, privateKey, redactor);
  const verification = await verifyBundle(bundle, { trusted: privateKey, now: world.clock.now() });
  if (verification.kind === 'verified') return { kind: 'certified', record, bundle };
  throw unrepeatable(verification.kind === 'refused' ? verification.reasons.join('; ') : 'another suite judged it');
}

/** The record that a verifier gets: judged from the recording after all keys are removed. */
async function recordOf(run: RunFile, recording: Recording, before: RunRecord): Promise<RunRecord> {
  const again = await judgeRecording(run, recording);
  if (again.kind === 'diverged') throw unrepeatable(again.reason);
  const verdicts = new Map(before.checks.map(({ id, verdict }) => [id, verdict]));
  const other = again.result.checks.find(({ id, verdict }) => verdicts.get(id) !== verdict);
  if (other !== undefined) throw unrepeatable(`${other.id} was ${verdicts.get(other.id)} and is ${other.verdict}`);
  return again.result;
}

function unrepeatable(why: string): Error {
  return new Error(
    `the run cannot be made again from its recording; a key that holds common text, such as 0123456789, would explain it: ${why}`,
  );
}

/** The result of a run, without keys. */
type Certifiable = {
  readonly run: RunFile;
  readonly record: RunRecord;
  readonly recording: Recording;
};

/** The bundle of a run, signed. Throws if a file would still hold a key, or be too large to be read again. */
function makeBundle(
  { run, record, recording }: Certifiable,
  privateKey: KeyObject,
  redactor: Pick<Redactor, 'pieces'>,
): Bundle {
  const runText = safeJson(run);
  const files = new Map<BundleFile, string>([
    ['exchanges.ndjson', renderRecording(recording)],
    ['public-key.pem', publicPem(privateKey)],
    ['report.json', safeJson(record)],
    ['run.json', runText],
  ]);
  const manifest = renderManifest(new Map([...files].map(([name, text]) => [name, Buffer.from(text)])));
  const statement = statementOf(run, record, manifest, runText);
  files.set('manifest.sha256', manifest);
  files.set('certificate.json', sealEnvelope(JSON.stringify(statement), privateKey));
  for (const [name, text] of files) {
    if (redactor.pieces(text).some(({ kind }) => kind === 'secret')) {
      throw new Error(`${name} would hold part of a key: use keys that are not words or mere punctuation`);
    }
    if (Buffer.byteLength(text) > bundleFiles[name]) throw new Error(`${name} would exceed the size limit of a bundle`);
  }
  return new Map([...files].map(([name, text]) => [name, Buffer.from(text)]));
}
