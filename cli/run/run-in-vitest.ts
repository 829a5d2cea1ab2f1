import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import type { Reporter } from 'vitest/node';
import { checksAtOnce } from '../../suites/run/run-suite.ts';
import type { RunPlan } from '../../suites/plan.ts';
import { endAtOnce, onInterruption } from '../shared/on-interruption.ts';
import { ownModule } from '../shared/own-module.ts';
import { UserError } from '../shared/user-error.ts';

/** Nothing of the folder that the command was started in may matter. */
const viteOptions: InlineConfig = { configFile: false, envDir: false, logLevel: 'error', server: { watch: null } };

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs the entry of the suite in vitest, in a thread of this process, reporting to one reporter only. Gives whether SIGINT
 * or SIGTERM ended it early, or `signal` before it began; a second one ends the process.
 */
export async function runInVitest(plan: RunPlan, reporter: Reporter, signal: AbortSignal): Promise<boolean> {
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
        dir: dirname(entry),
        include: [basename(entry)],
        exclude: [],
        reporters: [reporter],
        provide: { awc: plan },
        pool: 'threads',
        isolate: false,
        maxConcurrency: checksAtOnce,
        retry: 0,
        allowOnly: false,
        cache: false,
        fsModuleCache: false,
        experimental: { viteModuleRunner: false }, // Node loads the suites itself: a third less time and memory
      },
      viteOptions,
    );
    let interrupted = signal.aborted;
    const cancel = () => {
      interrupted = true;
      void vitest.cancelCurrentRun('keyboard-input');
    };
    const restore = listenInstead(others, cancel);
    try {
      if (!interrupted) await vitest.start();
    } finally {
      await vitest.close();
      restore();
    }
    return interrupted;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** A folder for vitest, which does not start without one that it can write to. */
async function makeRoot(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'awc-'));
  } catch {
    throw new UserError(`no folder can be made in ${tmpdir()}: set TMPDIR to one that can be written to.`);
  }
}

/** Puts one listener in the place of those that vitest added, which would end the process at once without a report. */
function listenInstead(
  others: ReadonlyMap<(typeof signals)[number], readonly NodeJS.SignalsListener[]>,
  listener: () => void,
): () => void {
  for (const [name, before] of others) {
    for (const added of process.listeners(name).filter((candidate) => !before.includes(candidate))) {
      process.off(name, added);
    }
  }
  return onInterruption(listener, endAtOnce);
}
