import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** In milliseconds. A test that takes longer waits for an event that the mutant prevents. */
const patienceMs = 120_000;

/** Whether tests pass without a mutant, by their names. */
const passing = new Map<string, Promise<boolean>>();

/** Tests of a second run, of two runs at once, and of a run beside other clients. */
const wholeRuns = ['second-run', 'overlapping-runs', 'others-write', 'others-delete'].map(
  (name) => `proof/${name}.test.ts`,
);

/**
 * The tests that a mutant of a file is tried on: the unit tests beside the file that import it, then those of whole runs.
 */
export async function testsOf(root: string, file: string): Promise<readonly string[]> {
  const folder = dirname(file);
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.test.ts'));
  const tests = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(root, folder, name), 'utf8') })),
  );
  // Those that start the command need more than was copied.
  const beside = tests.filter(({ text }) => text.includes(`'./${basename(file)}'`) && !text.includes("'../cli/"));
  return [...beside.map(({ name }) => join(folder, name)), ...wholeRuns];
}

/** Whether one of the tests fails with the mutant. */
export async function testsKill(root: string, mutant: string, tests: readonly string[]): Promise<boolean> {
  for (const test of tests) {
    const passes = passing.get(test) ?? pass(root, test);
    passing.set(test, passes);
    if ((await passes) && !(await pass(root, test, mutant))) return true;
  }
  return false;
}

/** In a process of its own, in which the mutant is switched on before anything is imported. */
async function pass(root: string, test: string, mutant?: string): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = spawn(process.execPath, [vitest, 'run', '--bail=1', `--testTimeout=${patienceMs}`, test], {
    cwd: root,
    env: { ...process.env, ...(mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant }) },
    stdio: 'ignore',
    timeout: patienceMs,
  });
  const [code] = await once(run, 'exit');
  return code === 0;
}
