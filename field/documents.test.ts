import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, test, type TestContext } from 'vitest';
import { realClock } from '../core/clock.ts';
import { type Fence, fences } from './fences.ts';
import { start } from './finish.ts';
import { setStage, type Stage } from './set-stage.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const documents = globSync(['README.md', 'docs/*.md'], { cwd: project }).toSorted();

/** Run an installed command without npm, which takes longer to find it than most commands take to run. The first document uses npm's own. */
const quick = {
  npx: `#!/bin/sh
if [ -x "node_modules/.bin/$1" ]; then exec "node_modules/.bin/$@"; fi
PATH="\${PATH#*:}" exec npx "$@"
`,
  npm: `#!/bin/sh
if [ "$1 $2 $3 $4" = "run --silent awc --" ]; then shift 4; exec node_modules/.bin/awc "$@"; fi
PATH="\${PATH#*:}" exec npm "$@"
`,
};

const knownWords = ['exit', 'background', 'skip', 'file', 'output'];

/** Ends a block that hangs. A whole run over HTTP takes half a minute alone, and over two beside other tests. */
const blockMs = 600_000;

async function stageFor(document: string): Promise<Stage> {
  const stage = await setStage(inject('installed'));
  if (document === documents[0]) return stage;
  const bin = join(stage.folder, '.bin');
  await mkdir(bin);
  for (const [name, script] of Object.entries(quick)) await writeFile(join(bin, name), script, { mode: 0o755 });
  return { ...stage, env: { ...stage.env, PATH: `${bin}:${stage.env['PATH']}` } };
}

/** Plays a block, and gives what it wrote to standard output. */
async function play(fence: Fence, { folder, env }: Stage, { expect, onTestFinished }: TestContext): Promise<string> {
  const { language, words, text, line } = fence;
  const file = words.get('file');
  if (file !== undefined) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  if (language !== 'sh' || words.has('skip')) return '';
  const { finished, said, kill } = start('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
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
    return '';
  }
  const { code, out, err } = await finished;
  const allowed = (words.get('exit') ?? '0').split(' or ').map(Number);
  expect(allowed, `line ${line}:\n${text}${out}${err}`).toContain(code);
  return out;
}

/** The lines to compare: without those that stand for others, and without durations, which differ from run to run. */
function comparable(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\b[\d.]+ m?s\b/g, '# s'))
    .filter((line) => line !== '' && line !== '…');
}

// Side by side, because most of what they do is waiting.
test.concurrent.for(documents)(
  'the commands in %s do what it says',
  { timeout: 2 * blockMs },
  async (path, context) => {
    const { expect, onTestFinished } = context;
    const blocks = fences(await readFile(join(project, path), 'utf8'));
    for (const { language, words, line } of blocks) {
      expect(language, `${path}:${line}: write sh, so that it is executed`).not.toMatch(/^(bash|shell|console|zsh)$/);
      for (const word of words.keys()) expect(knownWords, `${path}:${line}`).toContain(word);
      if (words.has('skip')) expect(words.get('skip'), `${path}:${line}: say why`).not.toBe('');
    }
    const stage = await stageFor(path);
    onTestFinished(stage.clear);
    let out = '';
    for (const block of blocks) {
      if (block.words.has('output')) {
        expect(comparable(out), `${path}:${block.line}: what the block before writes`).toEqual(
          expect.arrayContaining([...comparable(block.text)]),
        );
      } else out = await play(block, stage, context);
    }
  },
);
