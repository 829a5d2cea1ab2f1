import { type KeyObject, randomInt } from 'node:crypto';
import { type Certified, certify } from '../../certificates/certify.ts';
import { seedOfChallenge } from '../../certificates/challenge.ts';
import { checksOf } from '../../certificates/judge-revision.ts';
import { keyId, readPrivateKey } from '../../certificates/bundle/keys.ts';
import { exitCode } from '../../reports/record/exit-code.ts';
import { renderTerminal } from '../../reports/run/terminal.ts';
import { currentRevision } from '../../spec/revisions/revisions.ts';
import type { DeploymentPlan } from '../../targets/open-deployment.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { deploymentOf } from '../run/deployment-of.ts';
import { lookAt, openForUser } from '../run/look-at.ts';
import { showProgress } from '../run/progress.ts';
import { serversOf } from './servers-of.ts';
import { readKey } from './read-key.ts';
import { UserError } from '../shared/user-error.ts';
import { unlessInterrupted, withHooks } from '../hooks/with-hooks.ts';
import { prepareBundleFolder, writeBundle } from './write-bundle.ts';

/** The options of `awc certify`. */
export type CertifyCommandOptions = {
  readonly key: string;
  readonly out: string;
  readonly challenge?: string | undefined;
};

/** Judges a deployment by the current revision, writes the bundle if there is no obstacle, and returns the exit code. */
export async function certifyAndReport(
  path: string | undefined,
  { key, out, challenge }: CertifyCommandOptions,
  context: Context,
): Promise<number> {
  const privateKey = await readKey(key, readPrivateKey);
  await prepareBundleFolder(out);
  const certified = await withHooks(deploymentOf(path), undefined, context, ({ deployment, signal }) =>
    unlessInterrupted(signal, certifyDeployment(deployment, { privateKey, challenge }, context)),
  );
  context.out.write(renderTerminal(certified.record, { color: wantsColor(context.out) }));
  if (certified.kind === 'refused') {
    context.out.write(refusal(certified));
    return exitCode(certified.record, false) || 4; // a should that is blocked leaves a run conformant, but not certified
  }
  await writeBundle(out, certified.bundle);
  const ofWhat = path === undefined ? 'The embedded reference, which is not a real deployment, is' : 'It is';
  context.out.write(
    `\n${ofWhat} certified by revision ${currentRevision.number}, with the key ${keyId(privateKey)}.\n` +
      `Pass on the whole of ${out}, and the public key through another channel: awc verify ${out} --key FILE.pub\n`,
  );
  return 0;
}

/** The seed follows from the challenge. Without one, the embedded reference gets the same seed every time, others one that cannot be known. */
async function certifyDeployment(
  deployment: DeploymentPlan,
  { privateKey, challenge }: { readonly privateKey: KeyObject; readonly challenge: string | undefined },
  { err }: Pick<Context, 'err'>,
): Promise<Certified> {
  const embedded = deployment.kind === 'embedded';
  const freshSeed = embedded ? 1 : randomInt(2 ** 32);
  const plan = { deployment, seed: challenge === undefined ? freshSeed : seedOfChallenge(challenge) };
  const { target: judged, notes, diagnosis } = await lookAt(plan);
  if (judged.tls?.insecure === true) throw new UserError(unverified);
  if (diagnosis.unusable !== undefined) throw new UserError(diagnosis.unusable, 3);
  const progress = showProgress(
    err,
    checksOf(currentRevision).map(({ id }) => id),
  );
  const { target, clock, close, ...opened } = await openForUser(plan);
  const servers = embedded ? [] : await serversOf(target);
  try {
    return await certify({
      seed: plan.seed,
      ...(challenge === undefined ? {} : { challenge }),
      ...(servers.length === 0 ? {} : { servers }),
      embedded,
      notes: [...notes],
      target,
      world: { deployment: opened.deployment, clock },
      breathe: embedded ? () => clock.sleep(0) : () => new Promise((resolve) => setImmediate(resolve)),
      privateKey,
      onCheck: progress.onCheck,
    });
  } finally {
    progress.end();
    close();
  }
}

const unverified =
  'tls.insecure accepts every certificate, so nothing shows whose answers would be certified: remove it, or name the authority in tls.ca.';

/** The most reasons to show here; the report above has all of them. */
const maxReasons = 20;

function refusal({ reasons }: { readonly reasons: readonly string[] }): string {
  const first = reasons.slice(0, maxReasons).map((reason) => `  ${reason}\n`);
  const more = reasons.length > first.length ? `  and ${reasons.length - first.length} more\n` : '';
  return (
    `\nNot certified, and nothing was written: a certificate needs every promise of revision ${currentRevision.number} ` +
    `exercised and no must violated.\n${first.join('')}${more}` +
    'Each blocked check shows what it needs; awc doctor shows the same for the whole target file.\n'
  );
}
