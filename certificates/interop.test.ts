import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedBundle, sharedVendor } from '../testing/try-bundle.ts';
import { fences } from '../field/fences.ts';
import { publicPem } from './bundle/keys.ts';

const blocks = fences(readFileSync(new URL('../docs/certifying.md', import.meta.url), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'awc-interop-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const bundle = join(folder, 'genuine', 'certificate');
  await mkdir(bundle, { recursive: true });
  for (const [name, bytes] of await sharedBundle()) await writeFile(join(bundle, name), bytes);
  await writeFile(join(folder, 'genuine', 'vendor.key.pub'), publicPem(sharedVendor));
  const script = blocks.find(({ words }) => words.get('file') === 'read_certificate.py');
  await writeFile(join(folder, 'genuine', 'read_certificate.py'), script?.text ?? '');
});

/** A copy of what a reader has, with one file of the bundle edited. */
async function stage(name: string, file: string, edit: (text: string) => string): Promise<string> {
  const copy = join(folder, name);
  await cp(join(folder, 'genuine'), copy, { recursive: true });
  const path = join(copy, 'certificate', file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, edit(text));
  return copy;
}

/** Types the block of the document that holds this word. */
function type(word: string, cwd: string) {
  const text = blocks.find((block) => block.language === 'sh' && block.text.includes(word))?.text;
  if (text === undefined) throw new Error(`no block of docs/certifying.md holds ${word}`);
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
    cwd,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

function lacks(command: string, args: readonly string[], wanted: RegExp): string {
  const { stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return wanted.test(stdout ?? '') ? '' : ` (skipped: no ${command} of that version is installed here)`;
}

const noOpenssl = lacks('openssl', ['version'], /^OpenSSL ([3-9]|\d\d)\./);
const noPython = noOpenssl || lacks('python3', ['--version'], /^Python 3\./);

/** Both other readings find what they are made to find: an altered statement, and an altered file. */
const forgeries: readonly (readonly [string, string, (text: string) => string])[] = [
  [
    'statement',
    'certificate.json',
    (text) => text.replace(/("payload": ".{200})./, (old) => old.slice(0, -1) + (old.endsWith('A') ? 'B' : 'A')),
  ],
  ['file', 'report.json', (text) => `${text} `],
];

describe.each([
  ['openssl', 'openssl pkeyutl', noOpenssl, /Signature Verified Successfully[^]*run\.json: OK/],
  ['Python', 'read_certificate.py', noPython, /^http:\/\/reference\.invalid PASSED \d{3} passed/],
])('as the document says, %s', (name, word, missing, expected) => {
  test.skipIf(missing !== '')(`finds the genuine bundle genuine${missing}`, () => {
    const { status, said } = type(word, join(folder, 'genuine'));
    expect(said).toMatch(expected);
    expect(status).toBe(0);
  });

  test.skipIf(missing !== '').each(forgeries)('refuses an altered %s', async (what, file, edit) => {
    expect(type(word, await stage(`${name}-${what}`, file, edit)).status).not.toBe(0);
  });
});
