import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import type { Reporter } from 'vitest/node';
import type { RunPlan } from '../../suites/plan.ts';
import { onInterruption } from '../shared/on-interruption.ts';
import { ownModule } from '../../core/own-module.ts';
import { UserError } from '../shared/user-error.ts';

/** The folder in which the command was started must have no effect. */
const viteOptions: InlineConfig = { configFile: false, envDir: false, logLevel: 'error', server: { watch: null } };

/**
 * The memory of the thread that runs the checks, in MiB. By default, V8 takes several times the memory that a run needs, and even
 * more on a machine with much memory.
 */
const threadMemory = { 'max-old-space-size': 320, 'max-semi-space-size': 8 } as const;

/** By how much its memory may grow before V8 collects garbage. With this flag, V8 refuses code that was compiled without it. */
const growthPercent = 30;

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs the entry of the suite in vitest, in a thread of this process, with one reporter. Returns whether SIGINT or SIGTERM
 * ended it early, or `signal` before it began. A second signal ends the process. `failed` stops it without an interruption;
 * `over` ends its thread at once, whatever that does.
 */
export async function runInVitest(
  plan: RunPlan,
  reporter: Reporter,
  signal: AbortSignal,
  failed: AbortSignal,
  over: AbortSignal,
): Promise<boolean> {
  const { createVitest } = await import('vitest/node'); // takes a while, and most commands do without
  const entry = fileURLToPath(ownModule('suites/conformance'));
  const root = await makeRoot();
  const others = new Map(signals.map((name) => [name, process.listeners(name)]));
  try {
    const vitest = await createVitest(
      {
        config: false,
        watch: false,
        root,
        include: [],
        reporters: [
          reporter,
          { onTestModuleCollected: () => setFlagsFromString(`--heap-growing-percent=${growthPercent}`) },
        ],
        provide: { awc: plan },
        pool: 'threads',
        isolate: false,
        maxConcurrency: Number.MAX_SAFE_INTEGER, // The suite itself limits how many checks run at a time.
        retry: 0,
        allowOnly: false,
        cache: false,
        fsModuleCache: false,
        experimental: { viteModuleRunner: false, nodeLoader: false }, // Node loads the suites itself: a third less time and memory
      },
      viteOptions,
    );
    let interrupted = signal.aborted;
    const cancel = () => {
      interrupted = true;
      void vitest.cancelCurrentRun('keyboard-input');
    };
    failed.addEventListener('abort', () => void vitest.cancelCurrentRun('test-failure'), { once: true });
    over.addEventListener(
      'abort',
      () => {
        void vitest.cancelCurrentRun('test-failure');
        void vitest.cancelCurrentRun('test-failure'); // The second time does not wait for the thread.
      },
      { once: true },
    );
    const restore = listenInstead(others, cancel);
    for (const [name, value] of Object.entries(threadMemory)) setFlagsFromString(`--${name}=${value}`);
    try {
      // Not vitest.start(), which would look for tests in all folders.
      if (!interrupted && !over.aborted)
        await vitest.runTestSpecifications([vitest.getRootProject().createSpecification(entry)]);
    } finally {
      await vitest.close();
      for (const name of [...Object.keys(threadMemory), 'heap-growing-percent']) setFlagsFromString(`--${name}=0`);
      restore();
    }
    return interrupted;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** A writable folder, without which vitest does not start. */
async function makeRoot(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'awc-'));
  } catch {
    throw new UserError(`cannot create a folder in ${tmpdir()}: set TMPDIR to a writable folder.`);
  }
}

/** Replaces the listeners that vitest added, which would end the process at once without a report. */
function listenInstead(
  others: ReadonlyMap<(typeof signals)[number], readonly NodeJS.SignalsListener[]>,
  listener: () => void,
): () => void {
  for (const [name, before] of others) {
    for (const added of process.listeners(name).filter((candidate) => !before.includes(candidate))) {
      process.off(name, added);
    }
  }
  return onInterruption(listener);
}
