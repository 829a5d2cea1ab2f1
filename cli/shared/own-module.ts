/** `.ts` in a checkout, where the sources run as they are; `.js` in the package. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** The URL of a module of this project that is loaded by name: `path` is relative to the project, without extension. */
export function ownModule(path: string): string {
  return new URL(`../../${path}${extension}`, import.meta.url).href;
}
