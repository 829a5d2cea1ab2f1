import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { servedReference } from '../cli/try-awc.ts';
import { realClock } from '../harness/clock.ts';
import { targetFile } from '../reference/target-file.ts';
import { type Fence, fences } from './fences.ts';
import { start } from './finish.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const documents = globSync(['README.md', 'docs/*.md'], { cwd: project }).toSorted();

const knownWords = ['exit', 'background', 'skip', 'file'];

/** How long one block may take. */
const blockMs = 60_000;

type Stage = { readonly folder: string; readonly env: Readonly<Record<string, string>> };

/** The folder that CONTRIBUTING.md describes: the package, a target file, and its keys in the environment. */
async function setStage(): Promise<Stage> {
  const installed = inject('installed');
  const folder = await mkdtemp(join(tmpdir(), 'awc-document-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const manifest = { private: true, type: 'module', scripts: { awc: 'awc' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await symlink(join(installed.folder, 'node_modules'), join(folder, 'node_modules'));
  const target = await servedReference();
  await writeFile(join(folder, 'staging.yaml'), targetFile({ ...target, name: 'Staging' }));
  const keys = target.principals.map(({ name, key }) => [`AWC_KEY_${name.toUpperCase()}`, key] as const);
  const bin = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH'] ?? ''];
  const env = { ...Object.fromEntries(keys), AWC_BASE_URL: target.baseUrl, PATH: bin.join(':'), HOME: folder };
  return { folder, env };
}

async function play({ language, words, text, line }: Fence, { folder, env }: Stage): Promise<void> {
  const file = words.get('file');
  if (file !== undefined) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  if (language !== 'sh' || words.has('skip')) return;
  const { finished, said, kill } = start('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: folder,
    env,
    timeoutMs: blockMs,
  });
  onTestFinished(kill);
  if (words.has('background')) {
    const ended = finished.then(({ err }) => err);
    while (said() === '') {
      const early = await Promise.race([ended, realClock.sleep(50)]);
      expect(early, `line ${line} ended at once`).toBeUndefined();
    }
    return;
  }
  const { code, out, err } = await finished;
  expect(code, `line ${line}:\n${text}${out}${err}`).toBe(Number(words.get('exit') ?? 0));
}

test.each(documents)('what %s tells to type does what it says', { timeout: 4 * blockMs }, async (path) => {
  const blocks = fences(await readFile(join(project, path), 'utf8'));
  for (const { language, words, line } of blocks) {
    expect(language, `${path}:${line}: write sh, so that it is executed`).not.toMatch(/^(bash|shell|console|zsh)$/);
    for (const word of words.keys()) expect(knownWords, `${path}:${line}`).toContain(word);
    if (words.has('skip')) expect(words.get('skip'), `${path}:${line}: say why`).not.toBe('');
  }
  const stage = await setStage();
  for (const block of blocks) await play(block, stage);
});
