import { type KeyObject, randomInt } from 'node:crypto';
import { keyId, readPrivateKey } from '../../certificates/bundle/keys.ts';
import type { RunFile } from '../../certificates/bundle/run-file-schema.ts';
import { type Certified, certify } from '../../certificates/certify.ts';
import { seedOfChallenge } from '../../certificates/challenge.ts';
import { checksOf } from '../../certificates/judge-revision.ts';
import { readTls } from '../../core/network/tls-facts.ts';
import type { Target } from '../../core/target.ts';
import { exitCode } from '../../reports/record/exit-code.ts';
import { renderTerminal } from '../../reports/run/terminal.ts';
import { currentRevision } from '../../spec/revisions/revisions.ts';
import type { DeploymentPlan } from '../../targets/open-deployment.ts';
import { unlessInterrupted, withHooks } from '../hooks/with-hooks.ts';
import { deploymentOf } from '../run/deployment-of.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { onDeployment } from './on-deployment.ts';
import { readKey } from './read-key.ts';
import { prepareBundleFolder, writeBundle } from './write-bundle.ts';

export type CertifyOptions = { readonly key: string; readonly out: string; readonly challenge?: string | undefined };

/** Judges a deployment by the current revision, writes the bundle if there is no obstacle, and returns the exit code. */
export async function certifyAndReport(
  path: string | undefined,
  { key, out, challenge }: CertifyOptions,
  context: Context,
): Promise<number> {
  const privateKey = await readKey(key, readPrivateKey);
  await prepareBundleFolder(out);
  const certified = await withHooks(deploymentOf(path), undefined, context, ({ deployment, signal }) =>
    unlessInterrupted(signal, certifyDeployment(deployment, { privateKey, challenge }, context)),
  );
  const written = certified.kind === 'certified' ? out : undefined;
  const shows = { color: wantsColor(context.out), out: written, reportFrom: 'awc run --out DIR' };
  context.out.write(renderTerminal(certified.record, shows));
  if (certified.kind === 'refused') {
    context.out.write(refusal(certified));
    return exitCode(certified.record, false) || 4; // a should that is blocked leaves a run conformant, but not certified
  }
  await writeBundle(out, certified.bundle);
  const ofWhat = path === undefined ? 'The embedded reference, which is not a real deployment, is' : 'It is';
  context.out.write(
    `\n${ofWhat} certified against revision ${currentRevision.number}, with the key ${keyId(privateKey)}.\n` +
      `Hand over the whole folder ${out}, and the public key through another channel: awc verify ${out} --key FILE.pub\n`,
  );
  return 0;
}

/** The seed follows from the challenge. Without one, the embedded reference gets the same seed every time, others one that cannot be known. */
function certifyDeployment(
  deployment: DeploymentPlan,
  { privateKey, challenge }: { readonly privateKey: KeyObject; readonly challenge: string | undefined },
  context: Pick<Context, 'err'>,
): Promise<Certified> {
  const freshSeed = deployment.kind === 'embedded' ? 1 : randomInt(2 ** 32);
  const seed = challenge === undefined ? freshSeed : seedOfChallenge(challenge);
  return onDeployment({ deployment, seed }, checksOf(currentRevision), context, async (live) => {
    const servers = live.embedded ? [] : await serversOf(live.target);
    return certify({
      ...live,
      seed,
      ...(challenge === undefined ? {} : { challenge }),
      ...(servers.length === 0 ? {} : { servers }),
      privateKey,
    });
  });
}

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

/** For the one handshake with each server. */
const timeoutMs = 10_000;

/** The protocol and the certificates of each entry point that is secured by TLS. Sends no request. */
async function serversOf(target: Target): Promise<NonNullable<RunFile['servers']>> {
  const servers: NonNullable<RunFile['servers']> = [];
  for (const baseUrl of target.baseUrls ?? [target.baseUrl]) {
    const facts = await readTls({ ...target, baseUrl }, timeoutMs);
    if (facts.kind !== 'secure') continue;
    const { protocol, http, chain } = facts;
    const certificates = chain.map((one) => ({ ...one }));
    servers.push({ baseUrl, tls: protocol, ...(http === undefined ? {} : { http }), chain: certificates });
  }
  return servers;
}
