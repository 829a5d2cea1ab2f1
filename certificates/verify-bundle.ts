import type { KeyObject } from 'node:crypto';
import { shown } from '../core/text.ts';
import { identity } from '../reports/record/identity.ts';
import { type CheckRecord, type RunRecord, recordSchema } from '../reports/record/record.ts';
import { publishedLevels } from '../spec/errata.ts';
import { releases } from '../spec/releases.ts';
import { revisions } from '../spec/revisions/revisions.ts';
import { type Bundle, type BundleFile, bundleFiles, isBundleFile, Malformed } from './bundle/bundle.ts';
import { challengeProblem } from './challenge.ts';
import { differences } from './differences.ts';
import { openEnvelope } from './bundle/envelope.ts';
import { judgeRecording, type OnEvidence } from './judge-revision.ts';
import { keyId, readPublicKey } from './bundle/keys.ts';
import { manifestProblems } from './bundle/manifest.ts';
import { obstacles, whyOf } from './obstacles.ts';
import { type RunFile, runFileSchema } from './bundle/run-file-schema.ts';
import { statementOf } from './bundle/statement.ts';
import { parseStrictJson, readStrictJson } from './bundle/strict-json.ts';
import { parseRecording } from './bundle/written-recording.ts';
import type { Recording } from './recording/recording.ts';

/** The most contradictions between checks and report to name. */
const maxContradictions = 8;

/** What a signed and whole bundle says. */
export type Sealed = {
  readonly run: RunFile;
  readonly record: RunRecord;
  /** The id of the key that signed. */
  readonly key: string;
};

export type Verification =
  /** `exchanges`: how many were judged again. */
  | (Sealed & { readonly kind: 'verified'; readonly exchanges: number })
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  /** Signed and whole, but judged by another version of the suite. Only that version can judge the run again. */
  | (Sealed & { readonly kind: 'other-suite' });

type VerifyOptions = {
  /** The key that must have signed the bundle; undefined for the bundle's own, which does not show who signed. */
  readonly trusted: KeyObject | undefined;
  /** The time of the verifier, in milliseconds since the epoch. */
  readonly now: number;
  /** The keys of witnesses that must have signed it too. */
  readonly witnesses?: readonly KeyObject[] | undefined;
  /** The challenge that the run must answer; undefined for none in particular. */
  readonly challenge?: string | undefined;
  readonly onEvidence?: OnEvidence | undefined;
};

/** How far the clocks of signer and verifier may differ, in milliseconds. */
const clocksDifferMs = 600_000;

/**
 * Whether a bundle is signed and whole, and its verdicts follow from its exchanges. Only signed content is judged. Rejects
 * only for a fault of the suite.
 */
export async function verifyBundle(bundle: Bundle, options: VerifyOptions): Promise<Verification> {
  const missing = Object.keys(bundleFiles).filter((name) => isBundleFile(name) && !bundle.has(name));
  if (missing.length > 0) return refused(missing.map((name) => `${name} is missing`));
  try {
    return await verifyWhole(bundle, options);
  } catch (error) {
    if (error instanceof Malformed) return refused([error.message]);
    throw error;
  }
}

async function verifyWhole(bundle: Bundle, { trusted, ...options }: VerifyOptions): Promise<Verification> {
  const manifest = textOf(bundle, 'manifest.sha256');
  const altered = manifestProblems(manifest, bundle);
  if (altered.length > 0) return refused(altered);
  const ownKey = readPublicKey(textOf(bundle, 'public-key.pem'), 'public-key.pem');
  const key = trusted ?? ownKey;
  const statement = openEnvelope(textOf(bundle, 'certificate.json'), 'certificate.json', key);
  for (const witness of options.witnesses ?? []) {
    if (keyId(witness) === keyId(key)) throw new Malformed('the key of the witness is that of the vendor');
    openEnvelope(textOf(bundle, 'certificate.json'), 'certificate.json', witness);
  }
  if (keyId(ownKey) !== keyId(key)) throw new Malformed('public-key.pem is not the key that signed');

  const runText = textOf(bundle, 'run.json');
  const run = readStrictJson(runFileSchema, runText, 'run.json');
  const record = readStrictJson(recordSchema, textOf(bundle, 'report.json'), 'report.json');
  const stated = differences(
    'the signed statement',
    statementOf(run, record, manifest, runText),
    parseStrictJson(statement, 'the signed statement'),
  );
  if (stated.length > 0) return refused(stated);
  const unanswered = challengeProblem(run, options.challenge);
  if (unanswered !== undefined) return refused([unanswered]);
  if (isFuture(Date.parse(run.startedAt), options.now)) {
    return refused([`the run began at ${run.startedAt}, which is in the future`]);
  }
  const { suite } = identity();
  const sealed = { run, record, key: keyId(key) };
  if (run.suite.name !== suite.name || run.suite.version !== suite.version) return { kind: 'other-suite', ...sealed };
  const again = await judgeAgain(run, record, bundle, options);
  return again.kind === 'refused' ? again : { kind: 'verified', ...sealed, exchanges: again.exchanges };
}

type JudgedAgain = Extract<Verification, { kind: 'refused' }> | { readonly kind: 'same'; readonly exchanges: number };

/** Whether the report is complete, and whether the suite of today judges the recorded exchanges in the same way. */
async function judgeAgain(
  run: RunFile,
  record: RunRecord,
  bundle: Bundle,
  { now, onEvidence }: Omit<VerifyOptions, 'trusted'>,
): Promise<JudgedAgain> {
  const revision = revisions.get(run.revision.number);
  if (revision === undefined) return refused([`revision ${run.revision.number} is unknown to this suite`]);
  if (revision.digest !== run.revision.digest) {
    return refused([
      `revision ${revision.number} has another digest: run.json refers to other requirements than this suite`,
    ]);
  }
  const incomplete = obstacles(record, revision);
  if (incomplete.length > 0) return refused(incomplete.map((sentence) => `report.json: ${shown(sentence, 300)}`));
  const recording = parseRecording(textOf(bundle, 'exchanges.ndjson'), 'exchanges.ndjson');
  const date = dateProblem(run, recording, now);
  if (date !== undefined) return refused([date]);
  const judged: CheckRecord[] = [];
  const replayed = await judgeRecording(run, recording, { onCheck: (check) => judged.push(check), onEvidence });
  const reasons = [
    ...judged.flatMap((check) => contradiction(check, record)).slice(0, maxContradictions),
    ...(replayed.kind === 'diverged'
      ? [`exchanges.ndjson is not the run that run.json describes: ${replayed.reason}`]
      : differences('report.json', asJson(asSealed(run, record, replayed.result)), record)),
  ];
  if (reasons.length > 0) return refused([...reasons, ...doubtOfBuild(run.suite.version)]);
  return { kind: 'same', exchanges: recording.events.filter(({ kind }) => kind === 'exchange').length };
}

/** What else could explain that a run cannot be repeated: a version under development has many builds. */
export function doubtOfBuild(version: string, released: ReadonlyMap<string, string> = releases): readonly string[] {
  if (released.has(version)) return [];
  return [
    `or another build made it: ${shown(version, 40)} is not released, and only the same build can repeat the run. Certify again with a released version`,
  ];
}

/** Whether the clock of the signer was later than that of the verifier allows. All in milliseconds since the epoch. */
function isFuture(ms: number, now: number): boolean {
  return ms > now + clocksDifferMs;
}

/** Why the date of a run cannot be its date: it is that of the recorded clock, and the run did not end in the future. */
function dateProblem(
  { startedAt }: RunFile,
  { startMs, events, clockAtEnd }: Recording,
  now: number,
): string | undefined {
  const recorded = new Date(startMs).toISOString();
  if (startedAt !== recorded) {
    return `run.json says that the run began at ${startedAt}, but the clock in exchanges.ndjson began at ${recorded}`;
  }
  const lastMs = [...events.map(({ clock }) => clock), clockAtEnd].reduce(
    (last, clock) => Math.max(last, clock.at(-1) ?? 0),
    0,
  );
  if (!isFuture(startMs + lastMs, now)) return undefined;
  return `the run ended at ${new Date(startMs + lastMs).toISOString()}, which is in the future`;
}

/** The sentence for a check whose verdict today differs from the report. */
function contradiction(again: CheckRecord, { checks }: RunRecord): readonly string[] {
  const reported = checks.find(({ id }) => id === again.id)?.verdict;
  if (reported === again.verdict) return [];
  return [`report.json says ${reported ?? 'nothing'} of ${again.id}, the exchanges say ${shown(whyOf(again), 300)}`];
}

/**
 * The replayed record as an earlier build of the same version wrote it: without `usedUp` and `causes` if the sealed one has none, and
 * with the published levels of requirements whose erratum the bundle does not know.
 */
function asSealed({ revision }: RunFile, sealed: RunRecord, { usedUp, causes, ...replayed }: RunRecord): RunRecord {
  const unknown = revisions.get(revision.number)?.errata.slice(revision.errata ?? 0) ?? [];
  const published = publishedLevels(unknown);
  return {
    ...replayed,
    ...(sealed.usedUp === undefined ? {} : { usedUp }),
    ...(sealed.causes === undefined ? {} : { causes }),
    spec: identity(published).spec,
    checks: replayed.checks.map((check) => ({ ...check, level: published.get(check.requirement) ?? check.level })),
    requirements: replayed.requirements.map((one) => ({ ...one, level: published.get(one.id) ?? one.level })),
  };
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function refused(reasons: readonly string[]): Extract<Verification, { kind: 'refused' }> {
  return { kind: 'refused', reasons };
}

function textOf(bundle: Bundle, name: BundleFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bundle.get(name));
  } catch {
    throw new Malformed(`${name} is not UTF-8`);
  }
}
