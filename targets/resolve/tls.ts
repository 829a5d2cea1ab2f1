import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { errorCode } from '../../core/error-code.ts';
import { tlsOptions } from '../../core/network/tls-options.ts';
import type { TlsSettings } from '../../core/target.ts';
import { entryPointsOf } from '../entry-points.ts';
import { readBounded } from '../read-bounded.ts';
import { at, type PartProblem } from '../schema-problems.ts';
import { TargetFileError } from '../target-file-error.ts';
import type { TargetFile } from '../target-schema.ts';

/** What the TLS settings of a target file amount to, or what is wrong with them. Files are relative to `folder`. */
export function readTlsSettings(
  file: Pick<TargetFile, 'tls' | 'baseUrl' | 'baseUrls'>,
  folder: string,
): { readonly tls?: TlsSettings; readonly problems: readonly PartProblem[] } {
  const { tls } = file;
  if (tls === undefined) return { problems: [] };
  const problems = [...senseProblems(tls, entryPointsOf(file))];
  const texts = new Map<'ca' | 'cert' | 'key', string>();
  for (const name of ['ca', 'cert', 'key'] as const) {
    const path = tls[name];
    if (path === undefined) continue;
    try {
      texts.set(name, pemIn(readBounded(resolve(folder, path), 'there is no such file; correct the path')));
    } catch (error) {
      if (!(error instanceof TargetFileError)) throw error;
      problems.push(at(['tls', name], `cannot be read: ${error.problems.map(({ message }) => message).join('; ')}`));
    }
  }
  const { ca, cert, key } = tls;
  const own = { ca: texts.get('ca'), cert: texts.get('cert'), key: texts.get('key') };
  const read: TlsSettings = { ...tls, ...own, files: { ca, cert, key } };
  if (problems.length === 0) problems.push(...opensslProblems(read));
  return { tls: read, problems };
}

function pemIn(text: string): string {
  if (/-----BEGIN [A-Z0-9 ]+-----/.test(text)) return text;
  throw new TargetFileError('', [{ message: 'it is not PEM, which begins with -----BEGIN; convert it with openssl' }]);
}

function* senseProblems(tls: NonNullable<TargetFile['tls']>, baseUrls: readonly string[]): Iterable<PartProblem> {
  if (baseUrls.every((url) => /^http:/i.test(url)))
    yield at(['tls'], 'has no effect, because baseUrl begins with http://; remove it', 'key');
  if (tls.cert !== undefined && tls.key === undefined) yield at(['tls', 'cert'], 'needs its key; add tls.key');
  if (tls.key !== undefined && tls.cert === undefined) yield at(['tls', 'key'], 'needs its certificate; add tls.cert');
  if (tls.passphrase !== undefined && tls.key === undefined) {
    yield at(['tls', 'passphrase'], 'is for a key; add tls.key or remove it');
  }
  if (tls.insecure === true && tls.ca !== undefined) {
    yield at(['tls', 'insecure'], 'accepts every certificate, so tls.ca has no effect; remove one of them');
  }
  if (tls.serverName !== undefined && !/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/.test(tls.serverName)) {
    yield at(['tls', 'serverName'], 'is not a host name; write only the name, such as staging.internal');
  }
}

/** Tries the texts. The messages of OpenSSL are not shown, only its codes. */
function opensslProblems(tls: TlsSettings): readonly PartProblem[] {
  const part = (names: readonly ('ca' | 'cert' | 'key')[]): TlsSettings => ({
    passphrase: tls.passphrase,
    ...Object.fromEntries(names.map((name) => [name, tls[name]])),
  });
  for (const names of [['ca'], ['cert'], ['cert', 'key']] as const) {
    try {
      for (const name of names) if (name !== 'key') mustHoldCertificates(tls[name] ?? '');
      tlsOptions(part(names));
    } catch (error) {
      return [at(['tls', names.at(-1) ?? 'ca'], whyUnusable(error, tls.passphrase !== undefined))];
    }
  }
  return [];
}

/** OpenSSL skips an authority that it cannot read. */
function mustHoldCertificates(pem: string): void {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  for (const block of blocks ?? []) new X509Certificate(block);
  if (blocks === null && pem !== '') throw new Error('it holds no certificate');
}

function whyUnusable(error: unknown, hasPassphrase: boolean): string {
  const code = errorCode(error) ?? 'no code';
  switch (code) {
    case 'ERR_OSSL_X509_KEY_VALUES_MISMATCH':
      return 'does not belong to tls.cert; name the key that was made with that certificate';
    case 'ERR_OSSL_BAD_DECRYPT':
    case 'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED':
    case 'ERR_OSSL_PEM_BAD_PASSWORD_READ':
      return hasPassphrase
        ? 'cannot be decrypted with tls.passphrase; correct the passphrase'
        : 'is encrypted; add tls.passphrase';
    default:
      return `cannot be used (${/^[A-Z0-9_]+$/.test(code) ? code : 'no code'}); check that it is a whole PEM file of the right kind`;
  }
}
