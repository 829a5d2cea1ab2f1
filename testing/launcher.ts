import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { main } from '../cli/main.ts';

/** The package that was built for the tests; undefined where none was. */
const built = inject('built');

/** What starts `awc` as a process. */
export const launcher = built?.launcher ?? fileURLToPath(new URL('../cli/awc.mjs', import.meta.url));

/** The command as a function, of the same package: each run starts a thread, which loads the suites again. */
export async function loadMain(): Promise<typeof main> {
  if (built === undefined) return main;
  const { main: ofBuilt }: { readonly main: typeof main } = await import(built.main);
  return ofBuilt;
}
