import type { RunFile } from '../../certificates/bundle/run-file-schema.ts';
import { keyId, readPublicKey } from '../../certificates/bundle/keys.ts';
import { type Verification, verifyBundle } from '../../certificates/verify-bundle.ts';
import { shown } from '../../core/text.ts';
import { identity } from '../../reports/record/identity.ts';
import { verdictSentence } from '../../reports/record/verdict-sentence.ts';
import type { Context } from '../shared/context.ts';
import { readBundle } from './read-bundle.ts';
import { readKey } from './read-key.ts';
import { UserError } from '../shared/user-error.ts';

export type VerifyOptions = {
  readonly key?: string | undefined;
  readonly anyKey?: boolean | undefined;
  readonly challenge?: string | undefined;
  readonly witness?: readonly string[] | undefined;
};

/** Verifies a bundle, shows the result, and returns the exit code. */
export async function verifyAndReport(
  folder: string,
  { key, anyKey = false, challenge, witness = [] }: VerifyOptions,
  { out }: Pick<Context, 'out'>,
): Promise<number> {
  if ((key === undefined) !== anyKey) throw new UserError(whichKey);
  const trusted = key === undefined ? undefined : await readKey(key, readPublicKey);
  const witnesses = await Promise.all(witness.map((path) => readKey(path, readPublicKey)));
  const { bundle, problems } = await readBundle(folder);
  const verification: Verification =
    problems.length > 0
      ? { kind: 'refused', reasons: problems }
      : await verifyBundle(bundle, { trusted, witnesses, challenge, now: Date.now() });
  switch (verification.kind) {
    case 'verified':
      out.write(verified(verification, trusted !== undefined, witnesses.map(keyId)));
      return 0;
    case 'refused':
      out.write(`Refused: this is not a certificate to rely on.\n${lines(verification.reasons)}`);
      return 1;
    case 'other-suite':
      out.write(
        'Signed and whole, but not judged again: ' +
          `the run was made with ${suiteName(verification.run)}, and only that version can make it again.\n` +
          ownVersion(verification.run),
      );
      return 2;
  }
}

function suiteName({ suite }: RunFile): string {
  return shown(`${suite.name} ${suite.version}`, 120);
}

/** How to install the version that judged. A bundle can hold any text as its version. */
function ownVersion({ suite }: RunFile): string {
  const isVersion = suite.name === identity().suite.name && /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(suite.version);
  return isVersion ? `Verify it with npx ${suite.name}@${shown(suite.version, 40)} verify.\n` : '';
}

const whichKey =
  "Give the vendor's public key with --key FILE, or --any-key if it does not matter who signed: " +
  'anyone can sign a certificate with a key of their own.';

function lines(reasons: readonly string[]): string {
  return reasons.map((reason) => `  ${shown(reason, 600)}\n`).join('');
}

/** The digest comes first, because the signer writes the rest, and a long line is cut. */
function serverLine({ baseUrl, tls, http = 'HTTP', chain }: NonNullable<RunFile['servers']>[number]): string {
  const [own] = chain;
  const certificate = own === undefined ? 'no certificate' : `the certificate with sha256 ${own.sha256}`;
  const names = own === undefined ? '' : `, of ${shown(own.subject, 100)} by ${shown(own.issuer, 100)}`;
  return `The signer saw ${certificate} at ${shown(baseUrl)} with ${tls}, ${http}${names}.`;
}

function verified(
  { run, record, key, exchanges }: Extract<Verification, { kind: 'verified' }>,
  isTrusted: boolean,
  witnesses: readonly string[],
): string {
  const { target, suite, revision, embedded, startedAt } = run;
  const warned = record.checks.filter(({ verdict }) => verdict === 'warned').map(({ id }) => `warned: ${id}`);
  return [
    `Verified: ${shown(target.name)} at ${shown(target.baseUrl)}. ${verdictSentence(record)}\n`,
    lines([
      ...(embedded ? ['THIS IS THE EMBEDDED REFERENCE, NOT A REAL DEPLOYMENT.'] : []),
      ...warned,
      `Judged ${startedAt} by revision ${revision.number} with ${suite.name} ${suite.version}.`,
      ...(run.challenge === undefined ? [] : [`Its seed follows from the challenge ${shown(run.challenge)}.`]),
      ...(run.servers ?? []).map(serverLine),
      `Judged again now from its ${exchanges} exchanges: every verdict is the same.`,
      `Signed with the key ${key}.`,
      isTrusted
        ? 'That is the key you gave.'
        : "THAT IS THE BUNDLE'S OWN KEY: IT DOES NOT SHOW WHO SIGNED. Get the key from the vendor through another channel: --key FILE.",
      ...witnesses.map((id) => `Countersigned with the key ${id}, a witness you gave.`),
    ]),
    'The signer claims that these exchanges took place; only a run of your own can show that.\n',
  ].join('');
}
