import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificates } from '../../testing/network/certificates.ts';
import { parseTarget } from '../target-file.ts';
import { TargetFileError } from '../target-file-error.ts';

const certificates = makeCertificates();
const environment = { PASS: 'right-passphrase', WRONG: 'wrong-passphrase' };

/** A folder with every file that a test names. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'awc-test-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const { authority = '', good, elsewhere } = certificates ?? {};
  writeFileSync(join(path, 'ca.pem'), authority);
  writeFileSync(join(path, 'cert.pem'), good?.cert ?? '');
  writeFileSync(join(path, 'key.pem'), good?.key ?? '');
  writeFileSync(join(path, 'other.key'), elsewhere?.key ?? '');
  writeFileSync(join(path, 'text.pem'), 'secret text');
  writeFileSync(join(path, 'broken.pem'), '-----BEGIN CERTIFICATE-----\nsecret\n-----END CERTIFICATE-----\n');
  if (certificates !== undefined) {
    const command = 'ec -in key.pem -out locked.key -aes256 -passout pass:right-passphrase';
    execFileSync('openssl', command.split(' '), { cwd: path, stdio: 'pipe' });
  }
  return path;
}

function load(tls: string, baseUrl = 'https://t.example') {
  const text = `name: T\nbaseUrl: ${baseUrl}\nprincipals: { a: { key: k1 } }\ntls: ${tls}\n`;
  return parseTarget(text, join(folder(), 'target.yaml'), environment);
}

test
  .skipIf(certificates === undefined)
  .each([
    '{ ca: ca.pem }',
    '{ cert: cert.pem, key: key.pem, serverName: staging.internal }',
    '{ ca: ca.pem, cert: cert.pem, key: locked.key, passphrase: "${PASS}" }',
  ])('tls: %s', (tls) => {
  const { target } = load(tls);
  expect(target.tls?.ca ?? target.tls?.cert).toContain('-----BEGIN CERTIFICATE-----');
});

test('every report shows that certificates are not verified, and the passphrase is secret', () => {
  const { target, notes } = load('{ insecure: true }');
  expect(target.name).toBe('T (TLS not verified)');
  expect(notes).toEqual([expect.stringContaining('tls.insecure accepts every certificate')]);
});

test.skipIf(certificates === undefined).each([
  ['{ ca: missing.pem }', /4:12: tls\.ca cannot be read: there is no such file; correct the path$/],
  ['{ ca: text.pem }', /4:12: tls\.ca cannot be read: it is not PEM/],
  ['{ ca: broken.pem }', /4:12: tls\.ca cannot be used \([A-Z0-9_ a-z]+\); check that it is a whole PEM file/],
  ['{ ca: . }', /this is a folder/],
  ['{ cert: cert.pem }', /4:14: tls\.cert needs its key; add tls\.key$/],
  ['{ key: key.pem }', /4:13: tls\.key needs its certificate/],
  ['{ cert: cert.pem, key: other.key }', /4:29: tls\.key does not belong to tls\.cert/],
  ['{ cert: cert.pem, key: locked.key }', /4:29: tls\.key is encrypted; add tls\.passphrase$/],
  ['{ cert: cert.pem, key: locked.key, passphrase: "${WRONG}" }', /tls\.key cannot be decrypted with tls\.passphrase/],
  ['{ passphrase: "${PASS}" }', /tls\.passphrase is for a key/],
  ['{ insecure: false }', /4:18: tls\.insecure must be true/],
  ['{ insecure: true, ca: ca.pem }', /so tls\.ca has no effect/],
  ['{ serverName: "https://x" }', /tls\.serverName is not a host name/],
  ['{ cacert: ca.pem }', /4:8: tls\.cacert is not a field of a target file; known fields: ca, cert, key/],
  ['yes', /4:6: tls must hold ca, cert, key/],
])('tls: %s is wrong', (tls, message) => {
  let shown = '';
  try {
    load(tls);
  } catch (error) {
    if (error instanceof TargetFileError) shown = error.message;
  }
  expect(shown).toMatch(message);
  expect(shown).not.toMatch(/secret|-passphrase/);
});

test('tls with http:// has no effect', () => {
  expect(() => load('{ insecure: true }', 'http://t.example')).toThrow(/4:1: tls has no effect/);
});
