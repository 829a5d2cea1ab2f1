import { registerHooks } from 'node:module';

/**
 * For tests: while `load` runs, every module of the project that it imports is loaded anew, and so is what that imports, with
 * `replacement` in place of the module `replaced`. Other tests of the worker keep their modules.
 */
export async function importAnew<T>(replaced: URL, replacement: URL, load: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      if (!specifier.startsWith('.') || resolved.url.includes('/node_modules/')) return resolved;
      return { ...resolved, url: `${resolved.url === replaced.href ? replacement.href : resolved.url}?anew` };
    },
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
