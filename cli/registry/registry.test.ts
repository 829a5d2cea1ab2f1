import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { publicPem } from '../../certificates/bundle/keys.ts';
import { newVendor } from '../../registry/vendor.ts';
import { sharedBundle } from '../../testing/try-bundle.ts';
import { awc, temporaryFolder } from '../../testing/try-awc.ts';
import { readRegistry } from './read-registry.ts';
import {
  certifySamples,
  keys,
  type SampleBundles,
  submissionOf,
  writeBundleFiles,
  writeSix,
  writeSubmission,
} from '../../testing/try-registry.ts';

let samples: SampleBundles;
beforeAll(async () => {
  samples = await certifySamples();
});

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  await promisify(execFile)('git', ['-C', folder, ...who, ...args]);
}

async function commit(folder: string): Promise<void> {
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', 'x');
}

/** Each option of `awc submit` with its value. */
function submitOptions(changed: Readonly<Record<string, string>> = {}): readonly string[] {
  const { format: _format, ...options } = submissionOf('Borealis', 'Insights', '5.1');
  return Object.entries({ ...options, ...changed }).flatMap(([name, value]) => [`--${name}`, value]);
}

test('of six submissions three are judged again, two are of other suites, and the forged one is refused', async () => {
  const folder = await temporaryFolder();
  await writeSix(folder, samples);
  const { code, out } = await awc('registry', 'check', folder);
  expect(code, out).toBe(1);
  const lines = out.split('\n').filter((line) => /^(ok|refused)/.test(line));
  expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
    'ok submissions/acme/workspace/1.0: revision 1, signed and whole; awc 0.0.9 can judge it again, valid',
    'ok submissions/acme/workspace/2.0: revision 1, judged again, valid',
    'ok submissions/borealis/insights/5.1: revision 1, judged again, valid',
    'ok submissions/cobalt/notebook/2026.1: revision 1, judged again, valid',
    'ok submissions/dune/lake/3.0: revision 2, signed and whole; awc 0.2.0 can judge it again, valid',
    'refused submissions/borealis/forged/1.0',
  ]);
  expect(out).toMatch(/^Refused: 3 judged again, 2 only by other versions of the suite, 1 refused\.$/m);
});

test('a change is a submission that awc submit wrote; what was there before is not judged again', async () => {
  const folder = await temporaryFolder();
  const [registry, bundle] = [join(folder, 'registry'), join(folder, 'bundle')];
  await mkdir(registry);
  await git(registry, 'init', '--quiet');
  await writeFile(join(registry, 'README.md'), 'x');
  await commit(registry);
  await writeBundleFiles(bundle, samples.clamping);

  const submitted = await awc('submit', bundle, ...submitOptions(), '--registry', registry);
  expect(submitted.code, submitted.err).toBe(0);
  const metadata: unknown = JSON.parse(
    await readFile(join(registry, 'submissions/borealis/insights/5.1/submission.json'), 'utf8'),
  );
  expect(metadata).toEqual(submissionOf('Borealis', 'Insights', '5.1'));
  const again = await awc('submit', bundle, ...submitOptions(), '--registry', registry);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('a submission is never replaced')]);
  const accepted = await awc('registry', 'check', registry, '--changed-only', 'main');
  expect([accepted.code, accepted.out]).toEqual([0, expect.stringContaining('Accepted: 1 judged again, 0 refused.')]);

  await commit(registry);
  const nothing = await awc('registry', 'check', registry, '--changed-only', 'main');
  expect([nothing.code, nothing.out]).toEqual([0, 'Accepted: 0 judged again, 0 refused.\n']);
  const reused = await awc('submit', bundle, ...submitOptions({ version: '5.2' }), '--registry', registry);
  expect(reused.code, reused.err).toBe(0);
  const refused = await awc('registry', 'check', registry, '--changed-only', 'main');
  expect(refused.code).toBe(1);
  expect(refused.out).toContain('submissions/borealis/insights/5.1 has the same bundle');
});

test('a vendor changes its key by a statement that the old key signs, and the old key then signs nothing new', async () => {
  const folder = await temporaryFolder();
  const registry = join(folder, 'registry');
  await mkdir(registry);
  await git(registry, 'init', '--quiet');
  await writeSubmission(registry, submissionOf('Borealis', 'Insights', '5.1'), samples.clamping);
  await mkdir(join(registry, 'vendors'));
  const file = { format: 'awc-vendor/1', vendor: 'Borealis', key: publicPem(keys.borealis), rotations: [] };
  await writeFile(join(registry, 'vendors/borealis.json'), JSON.stringify(file));
  await commit(registry);
  await git(registry, 'switch', '--quiet', '--create', 'change');

  const [old, next] = [join(folder, 'old.key'), join(folder, 'next.pub')];
  await writeFile(old, keys.borealis.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(next, publicPem(keys.acme));
  const rotate = () => awc('registry', 'rotate', registry, '--vendor', 'borealis', '--key', old, '--next', next);
  expect(await rotate()).toMatchObject({ code: 0, err: '' });
  expect(await rotate()).toMatchObject({ code: 2, err: 'awc: the old key is not the latest key of this vendor.\n' });
  expect((await awc('registry', 'check', registry, '--changed-only', 'main')).out).toMatch(/^Accepted/);
  expect((await awc('registry', 'check', registry)).out).toMatch(/^ok .*\nAccepted/);

  await writeSubmission(registry, submissionOf('Borealis', 'Insights', '6.0'), samples.clamping);
  await rm(join(registry, 'submissions/borealis/insights/5.1'), { recursive: true });
  const { code, out } = await awc('registry', 'check', registry, '--changed-only', 'main');
  expect(code).toBe(1);
  expect(out).toContain('the bundle is signed with a key that was replaced');
  expect(out).toContain('was changed or removed: send a new version instead');
  await writeFile(join(registry, 'vendors/borealis.json'), JSON.stringify({ ...file, key: publicPem(keys.dune) }));
  const replaced = await awc('registry', 'check', registry, '--changed-only', 'main');
  expect(replaced.out).toContain('a registered key was changed or removed');
});

test('what does not belong into a registry is named, and no link is followed', async () => {
  const folder = await temporaryFolder();
  const place = join(folder, 'submissions/acme/workspace/1.0');
  await mkdir(place, { recursive: true });
  await symlink('/etc', join(folder, 'submissions/acme/linked'));
  await symlink('/etc/passwd', join(place, 'submission.json'));
  await writeFile(join(folder, 'submissions/\u001b[31mred'), '');
  await mkdir(join(folder, 'submissions/acme/workspace/..2'));
  const { code, out } = await awc('registry', 'check', folder);
  expect(code).toBe(1);
  for (const expected of [
    String.raw`submissions/\u001b[31mred does not belong there`,
    'submissions/acme/linked does not belong there',
    'submissions/acme/workspace/..2 does not belong there',
    'vendors/acme.json does not exist, so no key of the vendor is registered',
  ]) {
    expect(out).toContain(expected);
  }
  expect(out).not.toContain('root:');
});

test.each([
  [{ website: 'javascript:alert(1)' }, /^awc: --website: /],
  [{ version: '../..' }, /^awc: --version: must be lower-case/],
  [{ vendor: '\u0410' }, /^awc: --vendor: must be a name/],
])('awc submit with %j is a mistake of the user', async (changed, message) => {
  const { code, err } = await awc('submit', 'nowhere', ...submitOptions(changed));
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});

test('a change that registers a vendor without a submission is refused', async () => {
  const folder = await temporaryFolder();
  await git(folder, 'init', '--quiet');
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'x');
  await mkdir(join(folder, 'submissions'));
  await mkdir(join(folder, 'vendors'));
  await writeFile(join(folder, 'vendors/acme.json'), JSON.stringify(newVendor('Acme', keys.acme)));
  const { code, out } = await awc('registry', 'check', folder, '--changed-only', 'main');
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(
      /^refused {2}vendors\/acme\.json\n +the vendor is new: send its first submission in the same change\n/,
    ),
  ]);
});

test('the embedded reference is not submitted', async () => {
  const folder = await temporaryFolder();
  await writeBundleFiles(join(folder, 'bundle'), await sharedBundle());
  const registry = join(folder, 'registry');
  const { code, err } = await awc('submit', join(folder, 'bundle'), ...submitOptions(), '--registry', registry);
  expect([code, err]).toEqual([2, expect.stringContaining('certifies the embedded reference')]);
  await expect(stat(registry)).rejects.toThrow('ENOENT');
});

test('without git, or a commit in common with the base, the remedy is named', async () => {
  const folder = await temporaryFolder();
  await git(folder, 'init', '--quiet');
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'x');
  await git(folder, 'switch', '--quiet', '--orphan', 'other');
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'y');
  const check = () => awc('registry', 'check', folder, '--changed-only', 'main');
  expect(await check()).toMatchObject({ code: 2, err: expect.stringMatching(/no commit in common.*--unshallow/) });
  vi.stubEnv('PATH', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await check()).toMatchObject({ code: 2, err: expect.stringMatching(/not on the PATH\. Install git\.\n$/) });
});

test('a folder that cannot be read is not taken for an empty one', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'submissions'));
  const { readSubmission } = await readRegistry(folder, () => Promise.resolve(undefined));
  const { problems } = await readSubmission({ vendor: 'a', product: 'b', version: '1' });
  expect(problems).toEqual(['submissions/a/b/1 cannot be read']);
  const nowhere = await awc('registry', 'check', join(folder, 'nowhere'));
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('nowhere is not a readable folder')]);
});

test.each([
  [['.', '--changed-only=--output=x'], /^awc: git cannot show what changed/],
  [['.'], /^awc: \S+ has no folder submissions/],
])('awc registry check %j is a mistake of the user', async ([, ...args], message) => {
  const { code, err } = await awc('registry', 'check', await temporaryFolder(), ...args);
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});
