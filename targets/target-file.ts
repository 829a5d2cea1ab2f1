import { closeSync, openSync, readSync } from 'node:fs';
import type { Target } from '../harness/target.ts';
import type { Environment } from './interpolate.ts';
import { resolveTarget, type Source } from './resolve-target.ts';
import { schemaProblems } from './schema-problems.ts';
import { TargetFileError, type TargetProblem } from './target-file-error.ts';
import { type TargetFile, targetFileSchema } from './target-schema.ts';
import { senseProblems } from './target-sense.ts';
import { parseTargetYaml } from './target-yaml.ts';

const maxFileBytes = 1024 * 1024;

export type LoadedTarget = {
  readonly target: Target;
  /** What the file leaves out on purpose, in sentences. */
  readonly notes: readonly string[];
  /** The file as it was written, for hooks to merge over; it holds the keys. */
  readonly raw: TargetFile;
  /** For resolving `raw` again after a hook. */
  readonly source: Source;
};

/** Reads a target file. Throws {@link TargetFileError} with everything that is wrong with it. */
export function loadTarget(path: string, environment: Environment): LoadedTarget {
  return parseTarget(readBounded(path), path, environment);
}

/** A target file's text, as {@link loadTarget}; `file` is how errors call it. */
export function parseTarget(text: string, file: string, environment: Environment): LoadedTarget {
  const yaml = parseTargetYaml(text, environment);
  if (yaml.value === undefined && yaml.problems.length > 0) throw new TargetFileError(file, yaml.problems);
  const parsed = targetFileSchema.safeParse(yaml.value);
  const found = parsed.success
    ? senseProblems(parsed.data)
    : schemaProblems(targetFileSchema, parsed.error.issues, yaml.value);
  const located = found.map(({ path, part, message }): TargetProblem => ({
    message,
    at: yaml.positionAt(yaml.offsetOf(path, part)),
  }));
  const problems = [...yaml.problems, ...located.filter(({ at }) => !isAmong(yaml.problems, at))];
  if (!parsed.success || problems.length > 0) throw new TargetFileError(file, problems);

  const { target, notes } = resolveTarget(parsed.data, yaml);
  if (target.principals.length === 0) {
    const at = yaml.positionAt(yaml.offsetOf(['principals'], 'key'));
    throw new TargetFileError(file, [{ message: 'no principal has a key; set the variable of at least one', at }]);
  }
  return { target, notes, raw: parsed.data, source: yaml };
}

/** A reference that failed leaves an empty text behind, which need not be complained about again. */
function isAmong(problems: readonly TargetProblem[], at: TargetProblem['at']): boolean {
  return problems.some((problem) => problem.at?.line === at?.line && problem.at?.column === at?.column);
}

/** The text of a file, never more than the bound, whatever the path leads to: a device has no end. */
export function readBounded(path: string): string {
  const refuse = (message: string): never => {
    throw new TargetFileError(path, [{ message }]);
  };
  const bytes = Buffer.alloc(maxFileBytes + 1);
  let length = 0;
  try {
    const descriptor = openSync(path, 'r');
    try {
      let count = -1;
      while (count !== 0 && length < bytes.length) {
        count = readSync(descriptor, bytes, length, bytes.length - length, null);
        length += count;
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    refuse(wordsForReadError(error));
  }
  if (length > maxFileBytes) refuse('the file is over 1 MiB; a few dozen lines are enough');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
  } catch {
    return refuse('the file is not UTF-8 text; save it as UTF-8');
  }
}

function wordsForReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file; "awc init" writes one';
    case 'EISDIR':
      return 'this is a folder; name the file in it';
    case 'EACCES':
    case 'EPERM':
      return 'the file may not be read; change its permissions';
    default:
      return `the file cannot be read (${String(code)}); name another one`;
  }
}
