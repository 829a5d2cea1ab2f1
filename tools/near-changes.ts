import { dirname, join } from 'node:path';

/** Modules of the project by their path from its root, and the paths that each imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** The paths of the project's modules that a module imports, by its text. */
export function importsOf(path: string, text: string): readonly string[] {
  const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...specifiers].map(([, specifier = '']) => join(dirname(path), specifier));
}

/** The tests to run after a change: those that changed, those beside a module that changed, and those that import one. */
export function testsNear(changed: readonly string[], imports: Imports): readonly string[] {
  const modules = changed.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
  const folders = new Set(modules.map((path) => dirname(path)));
  const isNear = (path: string, imported: readonly string[]) =>
    changed.includes(path) || folders.has(dirname(path)) || imported.some((one) => modules.includes(one));
  return [...imports]
    .filter(([path, imported]) => path.endsWith('.test.ts') && isNear(path, imported))
    .map(([path]) => path);
}

/** The modules of `suites/` that a change reaches: they changed, or import from `suites/`, `stage/` or `promises/` what did. */
export function suitesReached(changed: readonly string[], imports: Imports): readonly string[] {
  const reached = new Set(changed.filter((path) => /^(suites|stage|promises)\//.test(path)));
  const sources = [...imports].filter(([path]) => /^(suites|stage|promises)\/.*(?<!\.test)\.ts$/.test(path));
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const [path, imported] of sources) if (imported.some((one) => reached.has(one))) reached.add(path);
  }
  return sources.map(([path]) => path).filter((path) => path.startsWith('suites/') && reached.has(path));
}

/** What follows from the requirements, checks and faults, and the commands that write it. */
const renewedBy = [
  ['README.md', 'npm run readme'],
  ['proof/kill-matrix.txt', 'npm run awc -- proof --cases 1 --crossings 0 --out proof'],
  ['reports/causes/consequences.ts', 'then npx vitest run --project unit reports/causes -u'],
] as const;

/** What may be out of date after a change of requirements, checks or faults that did not renew it, with the command for each. */
export function toRenew(changed: readonly string[]): readonly string[] {
  const isSource = /^(spec\/requirements|promises|stage|suites|reference\/faults)\/.*(?<!\.test)\.ts$/;
  if (!changed.some((path) => isSource.test(path))) return [];
  return renewedBy.flatMap(([path, command]) => (changed.includes(path) ? [] : [`${path} (${command})`]));
}
