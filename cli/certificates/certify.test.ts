import { mkdir, readdir, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleFiles } from '../../certificates/bundle/bundle.ts';
import { sealedAnew, sharedBundle, sharedVendor } from '../../testing/try-bundle.ts';
import { writeBundleFiles } from '../../testing/try-registry.ts';
import { readBundle } from './read-bundle.ts';
import { awc, servedReference, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';

test('a run is certified and verified, and what is wrong with a folder is named', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  const [key, bundle] = [join(folder, 'vendor.key'), join(folder, 'certificate')];
  expect(await awc('keygen', '--out', key)).toMatchObject({ code: 0, err: '' });
  expect((await stat(key)).mode & 0o777).toBe(0o600);

  const certified = await awc('certify', '--key', key, '--out', bundle, '--challenge', 'of the certifier');
  expect(certified.code, certified.err).toBe(0);
  expect(certified.out).toContain(`\nAlso in ${join(bundle, 'report.json')}: `);
  expect(certified.out).toMatch(/^The embedded reference, .* certified against revision 1, with the key sha256:/m);
  expect((await readdir(bundle)).toSorted()).toEqual(Object.keys(bundleFiles).toSorted());
  expect(await readdir(folder)).toHaveLength(3); // no draft is left

  const publicKey = join(folder, 'vendor.key.pub');
  const trusted = await awc('verify', bundle, '--key', publicKey, '--challenge', 'of the certifier');
  expect(trusted.code, trusted.out).toBe(0);
  expect(trusted.out).toMatch(/^Verified: Embedded reference at .*\n {2}THIS IS THE EMBEDDED REFERENCE/);
  expect(trusted.out).toContain('That is the key you gave.');

  const anyKey = await awc('verify', bundle, '--any-key', '--challenge', 'of the certifier');
  expect([anyKey.code, anyKey.out]).toEqual([0, expect.stringContaining('IT DOES NOT SHOW WHO SIGNED')]);

  const witnessed = await awc('verify', bundle, '--key', publicKey, '--witness', publicKey);
  expect([witnessed.code, witnessed.out]).toEqual([
    1,
    expect.stringContaining('the key of the witness is that of the vendor'),
  ]);
  const challenged = await awc('verify', bundle, '--any-key', '--challenge', 'x');
  expect([challenged.code, challenged.out]).toEqual([
    1,
    expect.stringContaining('the run answers the challenge of the certifier instead of x'),
  ]);

  await writeFile(join(bundle, 'README'), 'Certified!');
  const refused = await awc('verify', bundle, '--any-key');
  expect([refused.code, refused.err]).toEqual([1, '']);
  expect(refused.out).toMatch(/^Refused: .*\n {2}README was added: it is not a file of a bundle\n$/);
});

test.each<[(there: string, elsewhere: string) => readonly string[], RegExp]>([
  [(there) => ['keygen', '--out', there], /^awc: \S+ already exists, and awc keygen never overwrites a key/],
  [
    (there, elsewhere) => ['certify', '--key', there, '--out', elsewhere],
    /^awc: \S+ is not an ed25519 private key in PEM: awc keygen makes one\.\n$/,
  ],
  [(there) => ['verify', there], /^awc: Give the vendor's public key with --key FILE, or --any-key/],
  [
    (there) => ['verify', there, '--key', there, '--any-key'],
    /^awc: Give the vendor's public key with --key FILE, or --any-key/,
  ],
  [
    (there, elsewhere) => ['countersign', there, 'x.yaml', '--key', there, '--vendor-key', 'x', '--out', elsewhere],
    /^awc: \S+ is not an ed25519 private key in PEM/,
  ],
  [(there) => ['verify', '.', '--any-key', '--witness', there], /^awc: \S+ is not an ed25519 public key in PEM\.\n$/],
  [(_there, elsewhere) => ['verify', elsewhere, '--any-key'], /^awc: \S+ is not a readable folder/],
  [(there) => ['verify', '.', '--key', there], /^awc: \S+ is not an ed25519 public key in PEM\.\n$/],
])('a mistake of the user is named (%#)', async (args, message) => {
  const folder = await temporaryFolder();
  const there = join(folder, 'there');
  await writeFile(there, 'a secret');
  const { code, out, err } = await awc(...args(there, join(folder, 'elsewhere')));
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
  expect(err).not.toContain('secret');
  expect(await readdir(folder)).toEqual(['there']);
});

test('a long name in the certificate of a server hides no digest', async () => {
  const long = sealedAnew(await sharedBundle({ challenge: 'certifier 2026-11-23 kQ7w' }), sharedVendor, {
    run({ servers: [server] = [] }) {
      if (server === undefined) throw new Error('there is a server');
      server.baseUrl = '\u202e'.repeat(9000);
      for (const one of server.chain) [one.subject, one.issuer] = ['s'.repeat(9000), 'i'.repeat(9000)];
    },
  });
  const folder = await temporaryFolder();
  await writeBundleFiles(folder, long);
  const { code, out } = await awc('verify', folder, '--any-key');
  expect([code, out]).toEqual([0, expect.stringMatching(/^ {2}The signer saw .*sha256 a{64} /m)]);
});

test('without all that a certificate needs, nothing is written, and it is said what would help', async () => {
  const folder = await temporaryFolder();
  await awc('keygen', '--out', join(folder, 'key'));
  const target = await servedReference();
  const path = await writtenTarget({ ...target, organizations: [], billingAccounts: [], allow: new Set() });
  const out = join(folder, 'certificate');
  const { code, out: text, err } = await awc('certify', path, '--key', join(folder, 'key'), '--out', out);
  expect(code, text).toBe(4);
  expect(err).toMatch(/^\d+ checks: about \d+ reads\b.* in about \d+ s\n[^]*, \d+ s of about \d+ s\n/);
  expect(text).toMatch(/^Not certified, and nothing was written: .*\n {2}\S+ blocked: /m);
  expect(text).toContain('awc run --out DIR writes them to a report.');
  expect(await readdir(out)).toEqual([]);
});

test('only plain files of a bounded size are read', async () => {
  const folder = await temporaryFolder();
  const bundle = join(folder, 'certificate');
  await mkdir(bundle);
  await symlink('/etc/passwd', join(bundle, 'run.json'));
  await writeFile(join(bundle, 'manifest.sha256'), '');
  await truncate(join(bundle, 'manifest.sha256'), bundleFiles['manifest.sha256'] + 1);
  await mkdir(join(bundle, 'report.json'));
  for (let index = 0; index < 12; index += 1) await writeFile(join(bundle, `extra\u001b[31m${index}`), '');
  const { bundle: read, problems } = await readBundle(bundle);
  expect(read.size).toBe(0);
  expect(problems.filter((problem) => !problem.includes('added')).toSorted()).toEqual([
    'manifest.sha256 cannot be read, or is larger than 16384 bytes',
    'report.json is not a plain file: links are not followed',
    'run.json is not a plain file: links are not followed',
  ]);
  expect(problems.join()).not.toContain('\u001b');
  expect(problems).toContain('and more files were added');
});

test('a deployment whose certificate is not verified cannot be certified', async () => {
  const folder = await temporaryFolder();
  const text =
    'name: T\nbaseUrl: https://127.0.0.1:9\ntls: { insecure: true }\nprincipals: { a: { key: key-of-alice } }\n';
  await writeFile(join(folder, 'target.yaml'), text);
  await awc('keygen', '--out', join(folder, 'key'));
  const paths = [join(folder, 'target.yaml'), '--key', join(folder, 'key'), '--out', join(folder, 'out')];
  const { code, err } = await awc('certify', ...paths);
  expect([code, err]).toEqual([2, expect.stringContaining('tls.insecure accepts every certificate')]);
});

test('a certificate of another version names the command that verifies it, unless that is no version', async () => {
  const bundle = await sharedBundle();
  for (const [version, isNamed] of [
    ['9.9.9', true],
    ['9.9.9;x', false],
  ] as const) {
    const folder = await temporaryFolder();
    const later = sealedAnew(bundle, sharedVendor, { run: ({ suite }) => void (suite.version = version) });
    await writeBundleFiles(folder, later);
    const ended = await awc('verify', folder, '--any-key');
    expect(ended.code).toBe(2);
    expect(ended.out).toContain('Signed and whole, but not judged again');
    expect(ended.out.includes(`npx analytics-workspace-conformance@${version} verify`)).toBe(isNamed);
  }
});
