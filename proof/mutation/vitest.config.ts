import { defineConfig } from 'vitest/config';

/**
 * The tests that mutants are tried on, in the instrumented copy: the unit tests of the judging folders, and those of the proof in which
 * the deployment changes, others use it too, or its declaration is thin or wrong.
 */
export default defineConfig({
  test: {
    include: [
      '{schemas,core,promises,engine,stage,suites,traffic,load/validate}/**/*.test.ts',
      'proof/{second-run,overlapping-runs,others-*,redeployed,paced-limits,whole-request-keys,stops-answering,thin-targets,wrong-declarations,deleted-in-the-middle,found-otherwise,coverage}.test.ts',
    ],
    // They run for long: hundreds of deployments, the same run in many ways, and bodies of many megabytes.
    exclude: [
      'traffic/judge-traffic.test.ts',
      'suites/run/same-record.test.ts',
      'core/network/answer-memory.test.ts',
      'stage/lists/large-answers.test.ts',
    ],
    // How long instrumented code takes shows nothing.
    testNamePattern: /^(?!the time is linear)/,
    setupFiles: ['proof/mutation/record-reach.ts'],
    isolate: false,
    // As in `vitest.config.ts`: a file that a test writes and imports gets the same copy of a module as the test.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
