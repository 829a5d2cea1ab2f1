import { randomInt } from 'node:crypto';
import { keyId, readPrivateKey, readPublicKey } from '../../certificates/bundle/keys.ts';
import { runFileOf } from '../../certificates/bundle/run-file.ts';
import type { RunFile } from '../../certificates/bundle/run-file-schema.ts';
import { countersign, witnessProblems } from '../../certificates/countersign.ts';
import { checksOf, judgeRevision } from '../../certificates/judge-revision.ts';
import { verifyBundle } from '../../certificates/verify-bundle.ts';
import { shown } from '../../core/text.ts';
import { diffRecords } from '../../reports/record/diff.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import { renderDiff } from '../../reports/run/diff-terminal.ts';
import { revisions } from '../../spec/revisions/revisions.ts';
import { unlessInterrupted, withHooks } from '../hooks/with-hooks.ts';
import { deploymentOf } from '../run/deployment-of.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import { onDeployment } from './on-deployment.ts';
import { readBundle } from './read-bundle.ts';
import { forUser } from '../shared/for-user.ts';
import { readKey } from './read-key.ts';
import { prepareBundleFolder, writeBundle } from './write-bundle.ts';

export type CountersignOptions = { readonly key: string; readonly vendorKey: string; readonly out: string };

/** Verifies a certificate, judges the deployment with keys of the witness, and signs if no verdict differs. Returns the exit code. */
export async function countersignAndReport(
  folder: string,
  path: string,
  { key, vendorKey, out }: CountersignOptions,
  context: Context,
): Promise<number> {
  const privateKey = await readKey(key, readPrivateKey);
  const trusted = await readKey(vendorKey, readPublicKey);
  await prepareBundleFolder(out);
  const { bundle, problems } = await readBundle(folder);
  const verification =
    problems.length > 0 ? { kind: 'refused' as const } : await verifyBundle(bundle, { trusted, now: Date.now() });
  if (verification.kind !== 'verified')
    throw new UserError(`${folder} is not verified: awc verify ${folder} --key ${vendorKey} says why.`);
  const { run, record } = verification;
  // Before the run, so that a key that has signed already is known before the work.
  const signed = forUser(() => countersign(bundle, privateKey));
  const witnessed = await witness(path, run, context);
  const diff = diffRecords(record, witnessed);
  context.out.write(renderDiff(diff, [record, witnessed], { color: wantsColor(context.out) }));
  const reasons = witnessProblems(run, witnessed, diff);
  if (reasons.length > 0) {
    context.out.write(
      `\nNot countersigned: your run does not confirm the certificate.\n${reasons.map((one) => `  ${shown(one, 300)}\n`).join('')}`,
    );
    return 1;
  }
  await writeBundle(out, signed);
  context.out.write(
    `\n${out} holds the certificate with the signature of the key ${keyId(privateKey)} too.\n` +
      `awc verify ${out} --key ${vendorKey} --witness FILE.pub checks both.\n`,
  );
  return 0;
}

/** The run of a witness, by the revision and the errata of the certificate. */
function witness(path: string, { suite, revision }: RunFile, context: Context): Promise<RunRecord> {
  const seed = randomInt(2 ** 32);
  const published = revisions.get(revision.number);
  const checks = published === undefined ? [] : checksOf(published);
  return withHooks(deploymentOf(path), undefined, context, ({ deployment, signal }) =>
    unlessInterrupted(
      signal,
      onDeployment({ deployment, seed }, checks, context, async ({ target, embedded, notes, world, onCheck }) => {
        const startedAt = new Date(Math.floor(world.clock.now())).toISOString();
        const own = runFileOf({ suite, revision, seed, startedAt, embedded, notes, target });
        return judgeRevision(own, target, world, { onCheck });
      }),
    ),
  );
}
