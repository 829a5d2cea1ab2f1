import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';

/** A test file that passes without a mutant, the mutants that it reaches, and how long it takes, in milliseconds. */
export type TestFile = { readonly path: string; readonly reaches: ReadonlySet<string>; readonly tookMs: number };

/** In milliseconds: for the start of a process that runs tests, and for all tests without a mutant. */
const allowedMs = { start: 60_000, all: 3_600_000 } as const;

/** A test that takes longer without a mutant, in milliseconds, is left out. */
const mostMs = 30_000;

/** With a mutant, tests may take this many times as long as without one. What takes longer waits for an event that no longer comes. */
const patience = 5;

const report = z.object({
  testResults: z.array(z.object({ name: z.string(), status: z.string(), startTime: z.number(), endTime: z.number() })),
});

/** Runs all tests of `vitest.config.ts` in the instrumented copy at `root` without a mutant. */
export async function passingTests(root: string): Promise<readonly TestFile[]> {
  const folder = join(root, 'reach');
  await mkdir(folder);
  const output = join(folder, 'report');
  await runTests(
    root,
    ['--reporter=json', `--outputFile=${output}`, `--testTimeout=${mostMs}`],
    { AWC_REACH_FOLDER: folder },
    allowedMs.all,
  );
  const { testResults } = report.parse(JSON.parse(await readFile(output, 'utf8')));
  const written = new Set(await readdir(folder));
  const passing = testResults.filter(
    ({ name, status }) => status === 'passed' && written.has(`${encodeURIComponent(name)}.json`),
  );
  return Promise.all(
    passing.map(async ({ name, startTime, endTime }) => {
      const text = await readFile(join(folder, `${encodeURIComponent(name)}.json`), 'utf8');
      const reaches = new Set(z.array(z.string()).parse(JSON.parse(text)));
      return { path: relative(root, name), reaches, tookMs: endTime - startTime };
    }),
  );
}

/** Whether one of the tests fails with the mutant, which is switched on before anything is imported. */
export async function testsKill(root: string, mutant: string, tests: readonly TestFile[]): Promise<boolean> {
  if (tests.length === 0) return false;
  const tookMs = tests.reduce((sum, test) => sum + test.tookMs, 0);
  const longestMs = Math.max(...tests.map((test) => test.tookMs));
  const args = [
    '--bail=1',
    '--maxWorkers=1',
    `--testTimeout=${Math.ceil(5000 + patience * longestMs)}`,
    ...tests.map(({ path }) => path),
  ];
  return !(await runTests(root, args, { __STRYKER_ACTIVE_MUTANT__: mutant }, allowedMs.start + patience * tookMs));
}

/** Whether they all pass. */
async function runTests(
  root: string,
  args: readonly string[],
  env: Record<string, string>,
  timeoutMs: number,
): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = spawn(
    process.execPath,
    [vitest, 'run', '--config=proof/mutation/vitest.config.ts', `--root=${root}`, ...args],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'ignore',
      timeout: Math.ceil(timeoutMs),
      killSignal: 'SIGKILL',
    },
  );
  const [code] = await once(run, 'exit');
  return code === 0;
}
