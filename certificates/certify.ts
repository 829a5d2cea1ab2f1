import type { KeyObject } from 'node:crypto';
import type { Target } from '../harness/target.ts';
import { identity } from '../reports/identity.ts';
import type { CheckRecord, RunRecord } from '../reports/record.ts';
import { currentRevision } from '../spec/revisions/revisions.ts';
import type { Bundle } from './bundle.ts';
import { judgeRevision } from './judge-revision.ts';
import { makeBundle } from './make-bundle.ts';
import { obstacles } from './obstacles.ts';
import { recordWorld, type World } from './record-world.ts';
import { runFileOf, type RunPremises } from './run-file.ts';
import { verifyBundle } from './verify-bundle.ts';

export type CertifyOptions = Pick<RunPremises, 'seed' | 'startedAt' | 'embedded' | 'notes'> & {
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
 * Judges by the current revision and seals what came of it, when nothing in it is violated or blocked. Rejects when the
 * bundle does not verify: then the suite is at fault, or a key stands where it must not.
 */
export async function certify({
  world,
  breathe,
  privateKey,
  onCheck,
  ...premises
}: CertifyOptions): Promise<Certified> {
  const { suite } = identity();
  const revision = { number: currentRevision.number, digest: currentRevision.digest };
  const run = runFileOf({ suite, revision, ...premises });
  const { target } = premises;
  const recorded = recordWorld(world, breathe);
  const record = await judgeRevision(run, target, recorded.world, onCheck);
  const reasons = obstacles(record, currentRevision);
  if (reasons.length > 0) return { kind: 'refused', record, reasons };
  const bundle = makeBundle({ run, record, recording: recorded.recording(), target }, privateKey);
  const verification = await verifyBundle(bundle, privateKey);
  if (verification.kind === 'verified') return { kind: 'certified', record, bundle };
  const why = verification.kind === 'refused' ? verification.reasons.join('; ') : verification.suite;
  throw new Error(`the run cannot be made again from its recording: ${why}`);
}
