import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** One small change of the judging code, which is switched on by its id. */
export type Mutant = {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  /** The line of the source, what of it is replaced and by what, each on one line. */
  readonly source: string;
  readonly original: string;
  readonly replacement: string;
};

/** What is not copied: the rest of a checkout is what the judging code and its tests need. */
const leftOut = new Set(['.git', 'node_modules', 'dist', 'coverage', 'reports/out']);

/** Where a wrong line means a wrong verdict. */
const judging = ['schemas', 'core', 'promises', 'engine', 'stage', 'suites', 'load/validate', 'traffic'] as const;

/** The texts and fields of messages decide no verdict. */
const excludedMutations = ['StringLiteral', 'ObjectLiteral'];

const quiet = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
};

/** Copies the checkout at `root` to `into`, an empty folder, with every mutant of the judging code in it, switched off. */
export async function instrument(root: string, into: string): Promise<readonly Mutant[]> {
  await cp(root, into, { recursive: true, filter: (path) => !leftOut.has(relative(root, path)) });
  await symlink(join(root, 'node_modules'), join(into, 'node_modules'));
  const names = (await Promise.all(judging.map((folder) => sourcesIn(root, folder)))).flat();
  const files = await Promise.all(
    names.map(async (name) => ({ name, content: await readFile(join(root, name), 'utf8'), mutate: true })),
  );
  const { files: instrumented, mutants } = await new Instrumenter(quiet).instrument(files, {
    excludedMutations,
    ignorers: [],
    plugins: [],
  });
  for (const { name, content } of instrumented) await writeFile(join(into, name), content);
  const made = mutants.filter(({ status }) => status !== 'Ignored');
  const linesOf = new Map(files.map(({ name, content }) => [name, content.split('\n')]));
  return made.map(({ id, fileName, location, mutatorName, replacement }) => ({
    id,
    file: fileName,
    line: location.start.line + 1,
    column: location.start.column + 1,
    mutator: mutatorName,
    source: (linesOf.get(fileName)?.[location.start.line] ?? '').trim(),
    original: oneLine(textAt(linesOf.get(fileName) ?? [], location)),
    replacement: oneLine(replacement),
  }));
}

type Place = { readonly line: number; readonly column: number };

function textAt(lines: readonly string[], { start, end }: { readonly start: Place; readonly end: Place }): string {
  const last = lines[end.line]?.slice(0, end.column) ?? '';
  if (start.line === end.line) return last.slice(start.column);
  return [lines[start.line]?.slice(start.column) ?? '', ...lines.slice(start.line + 1, end.line), last].join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}

async function sourcesIn(root: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.filter((name) => /(?<!\.test)\.ts$/.test(name)).map((name) => join(folder, name));
}
