const isCheckout = import.meta.url.endsWith('.ts');

/** The folder of all modules: the checkout, where the sources run as they are, or `dist` in the package. */
const folder = new URL('../', import.meta.url);

/** The folder of `package.json`. */
export const packageFolder = isCheckout ? folder : new URL('../', folder);

/** The URL of a module of this project that is loaded by name: `path` is relative to the project, without extension. */
export function ownModule(path: string): URL {
  return new URL(`${path}${isCheckout ? '.ts' : '.js'}`, folder);
}
