import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import type { RunPlan } from './suites/plan.ts';

const { AWC_TARGET: path } = process.env;

const plan: RunPlan = {
  deployment:
    path === undefined
      ? { kind: 'embedded', module: new URL('reference/reference.ts', import.meta.url).href, faults: [], choices: {} }
      : { kind: 'file', path },
  seed: 1,
  strict: false,
  only: [],
  preflight: true,
};

// Processes that tests start load the same modules again and again: Node keeps them compiled here.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** It uses every core there is, so it is a project of its own. */
const proof = 'proof/kill-matrix.test.ts';

/** Slower than `npm test` may be: continuous integration runs them. A test holds that each pattern fits a file. */
export const slow = [
  // Whole runs on deployments that change, are shared, or are declared in other ways.
  'proof/!(coverage|proof|kill-matrix|time-limit).test.ts',
  'traffic/judge-traffic.test.ts',
  'certificates/certify.test.ts',
  'certificates/{challenge,countersign}.test.ts',
  'certificates/interop.test.ts',
  'certificates/recording/replay-world.test.ts',
  'certificates/bundle/forgeries.test.ts',
  'certificates/bundle/hostile-bundles.test.ts',
  'core/network/answer-memory.test.ts',
  'tools/fuzz/parsers.test.ts',
  // Statistics of a hundred simulated loads.
  'load/kinds/capacity/next-trial.test.ts',
  'load/compare/compare.test.ts',
  'load/compare/trend.test.ts',
  // Commands that run for long, started as processes.
  'cli/hooks/*.test.ts',
  'cli/init/init.test.ts',
  'cli/certificates/*.test.ts',
  'cli/registry/*.test.ts',
  'cli/run/durability.test.ts',
  'cli/run/run-history.test.ts',
  'cli/run/waivers-and-stream.test.ts',
  'cli/commands/check-traffic.test.ts',
  'suites/run/*.test.ts',
  // Pages in a browser.
  'reports/**/*html.test.ts',
  'cli/live/*html.test.ts',
  'registry/{site/*html,verify/*,two-revisions}.test.ts',
];

/** As slow, because they are loads in real time. Nothing that computes much runs beside them: a busy machine is no good place to measure. */
export const loads = [
  'load/export/artillery.test.ts',
  'load/kinds/shipped-profiles.test.ts',
  'load/kinds/rate-limit.test.ts',
  'load/kinds/recipe.test.ts',
  'load/kinds/open.test.ts',
  'load/kinds/correct-capacity.test.ts',
  'load/workers/run-in-workers.test.ts',
  'cli/load/*.test.ts',
  'deploy/*.test.ts',
];

/** The files that take longest start first, so that none runs alone at the end. A new checkout knows no durations. */
export const longest: readonly string[] = [
  'core/network/answer-memory.test.ts', // it collects garbage, which takes twice as long after other files
  'cli/exit-codes.test.ts',
  'proof/over-http.test.ts',
  'cli/live/live-html.test.ts',
  'registry/verify/action.test.ts',
  'cli/registry/registry.test.ts',
  'suites/run/define-tests.test.ts',
  'cli/init/init.test.ts',
  'registry/site/site-html.test.ts',
  'load/kinds/correct-capacity.test.ts',
  'deploy/kubernetes.test.ts',
  'cli/load/gather.test.ts',
  'load/kinds/shipped-profiles.test.ts',
  'cli/load/load.test.ts',
  'field/real-parts/whole-runs.test.ts',
  'field/action.test.ts',
  'field/documents.test.ts',
  'field/package.test.ts',
];

/** Loads in real time come last: other tests of the lane are over by then, and a busy machine is no good place to measure. */
const measuring = /(?<!\/reports)\/(?:load|deploy)\/.*\.test\.ts$/;

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((path) => moduleId.endsWith(path));
  if (place >= 0) return place;
  return longest.length + (measuring.test(moduleId) ? 1 : 0);
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** Tests of loads measure in real time beside other tests. What fails is tried once more, and the output says so. */
const retry = 1;

/** Node strips the types itself, and remembers what it compiled: vite would transform every module again. No test replaces a module by vitest. */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/** What hangs fails in the end; what is slow on a busy machine does not. */
const patience = { testTimeout: 180_000, hookTimeout: 180_000, retry };

export default defineConfig({
  test: {
    // Much of what the tests do is waiting, for a process or a socket.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['node_modules/**', 'dist/**', 'field/**', proof, ...slow, ...loads],
          globalSetup: ['tools/built-package.ts'],
          // Loading the suites and the reference anew for each file takes longer than most files. No module keeps state.
          isolate: false,
          ...native,
          ...patience,
        },
      },
      {
        test: {
          name: 'slow',
          include: slow,
          globalSetup: ['tools/built-package.ts'],
          isolate: false,
          // Two files at a time keep less than one core busy: their browsers and processes mostly wait.
          maxWorkers: Math.max(3, availableParallelism()),
          ...native,
          ...patience,
        },
      },
      {
        test: {
          name: 'loads',
          include: loads,
          globalSetup: ['tools/built-package.ts'],
          isolate: false,
          // They mostly wait.
          maxWorkers: Math.max(3, availableParallelism()),
          ...native,
          ...patience,
        },
      },
      { test: { name: 'proof', include: [proof], ...native } },
      // The package and the documents as a stranger meets them: slow, so `npm test` leaves it out.
      {
        test: {
          name: 'field',
          include: ['field/**/*.test.ts'],
          globalSetup: ['field/installed-package.ts'],
          // Much of it waits for a registry, a deployment or a load. More files at once keep the other lanes from their work.
          maxWorkers: 3,
          maxConcurrency: 7,
          ...native,
          retry,
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['suites/conformance.ts'],
          maxConcurrency: Number.MAX_SAFE_INTEGER,
          ...native, // as in the command
          provide: { awc: plan },
        },
      },
    ],
  },
});
