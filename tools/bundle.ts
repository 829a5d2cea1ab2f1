import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** What package.json, the launcher and `ownModule` name. */
const entries = [
  'cli/main',
  'cli/hooks/guard-teardown',
  'cli/live/live-thread',
  'cli/load/serve-embedded',
  'cli/otlp/otlp-thread',
  'core/own-module', // it stays where it is, because it finds the others
  'embed/check',
  'embed/library',
  'embed/vitest',
  'load/calibrate/latency-model-server',
  'load/validate/validation-worker',
  'load/workers/load-worker',
  'proof/worker',
  'reference/reference',
  'suites/conformance',
];

/**
 * Writes the JavaScript of the package to a folder. Modules that are always loaded together become one file: to find and open
 * six hundred files takes half of the time of a start, and a run starts twice, in its process and in a thread.
 */
export async function bundle(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'warn',
    build: {
      ssr: true, // for Node: packages stay outside
      target: 'node22',
      minify: false,
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((name) => [name, `${name}.ts`])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
      },
    },
  });
}
