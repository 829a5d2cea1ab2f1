import { dirname } from 'node:path';
import type { Target } from '../core/target.ts';
import type { Environment } from './interpolate.ts';
import { mergePatch, patches } from './merge-patch.ts';
import { readTlsSettings } from './resolve/tls.ts';
import { readBounded } from './read-bounded.ts';
import { resolveProxy } from './resolve/proxy.ts';
import { resolveTarget, type Source } from './resolve/target.ts';
import { namesPrototype, type PartProblem, schemaProblems } from './schema-problems.ts';
import { TargetFileError, type TargetProblem } from './target-file-error.ts';
import { type TargetFile, targetFileSchema } from './target-schema.ts';
import { senseProblems } from './target-sense.ts';
import { type Path, parseTargetYaml, type ReadIn, type TargetYaml } from './target-yaml.ts';

export type LoadedTarget = {
  readonly target: Target;
  /** Notes for the reader, such as principals that are left out. */
  readonly notes: readonly string[];
  /** The file merged with the output of its setup. It contains the keys. */
  readonly raw: TargetFile;
};

/** Reads a target file and merges the output of its setup over it. Throws {@link TargetFileError} with every problem. */
export function loadTarget(path: string, environment: Environment, patch?: unknown): LoadedTarget {
  return parseTarget(readBounded(path), path, environment, patch);
}

/** As {@link loadTarget}, for the text of a file; errors call it `file`. */
export function parseTarget(text: string, file: string, environment: Environment, patch?: unknown): LoadedTarget {
  const yaml = parseTargetYaml(text, environment);
  if (yaml.value === undefined && yaml.problems.length > 0) throw new TargetFileError(file, yaml.problems);
  const value = patch === undefined ? yaml.value : patched(yaml, file, patch);
  const source = sourceOf(yaml, patch);
  const read = readFields(value, { folder: dirname(file), environment, readIn: source.readIn });
  const problems = [...yaml.problems, ...located(yaml, read.problems, patch)];
  if (read.fields === undefined || problems.length > 0) throw new TargetFileError(file, problems);

  const { target, notes } = resolveTarget(read.fields, read.route, source);
  if (target.principals.length === 0) {
    const at = yaml.placeOf(['principals'], 'key');
    throw new TargetFileError(file, [{ message: 'no principal has a key; set at least one variable', at }]);
  }
  return { target, notes, raw: read.fields };
}

/** The target that data with the fields of a target file describes; its files are relative to the current folder. Throws {@link TargetFileError} with every problem. */
export function targetOf(data: unknown, environment: Environment = process.env): Omit<LoadedTarget, 'raw'> {
  const { fields, route, problems } = readFields(data, { folder: process.cwd(), environment, kind: 'a target' });
  if (namesPrototype(data)) {
    // The schema leaves this name out without a word.
    throw new TargetFileError('the target', [{ message: '__proto__ cannot be used as a name; choose another' }]);
  }
  if (fields === undefined || problems.length > 0) {
    throw new TargetFileError(
      'the target',
      problems.map(({ message }) => ({ message })),
    );
  }
  const { target, notes } = resolveTarget(fields, route);
  if (target.principals.length > 0) return { target, notes };
  throw new TargetFileError('the target', [{ message: 'no principal has a key' }]);
}

type ReadOptions = {
  /** Its files are relative to it. */
  readonly folder: string;
  readonly environment: Environment;
  readonly readIn?: ReadIn;
  readonly kind?: string;
};

/** The fields of a target file and the way to the deployment, or what is wrong with them. */
function readFields(data: unknown, { folder, environment, readIn, kind }: ReadOptions) {
  const parsed = targetFileSchema.safeParse(data);
  if (!parsed.success) {
    return { problems: schemaProblems(targetFileSchema, parsed.error.issues, data, kind) };
  }
  const fields = parsed.data;
  const tls = readTlsSettings(fields, folder);
  const proxy = resolveProxy(fields, environment);
  const problems = [...senseProblems(fields, readIn), ...tls.problems, ...proxy.problems];
  return { fields, route: { ...tls, ...proxy }, problems };
}

const setupPath: Path = ['hooks', 'setup'];

function patched(yaml: TargetYaml, file: string, patch: unknown): unknown {
  const refuse = (message: string): never => {
    throw new TargetFileError(file, [{ message: `hooks.setup ${message}`, at: yaml.placeOf(setupPath, 'value') }]);
  };
  if (patches(patch, ['hooks'])) refuse('printed hooks or not an object; it must print a JSON object without hooks');
  if (namesPrototype(patch)) refuse('printed the name __proto__; it must choose another');
  try {
    return mergePatch(yaml.value, patch);
  } catch {
    return refuse('printed JSON that is nested too deeply; use at most five levels');
  }
}

/** Adds positions. A problem with the output of setup gets the position of hooks.setup. */
function located(yaml: TargetYaml, found: readonly PartProblem[], patch: unknown): readonly TargetProblem[] {
  return found.flatMap(({ path, part, message }) => {
    if (patch !== undefined && patches(patch, path)) {
      return [{ message: `hooks.setup printed an invalid value: ${message}`, at: yaml.placeOf(setupPath, 'value') }];
    }
    const problem: TargetProblem = { message, at: yaml.placeOf(path, part) };
    return isAmong(yaml.problems, problem.at) ? [] : [problem];
  });
}

/** An unresolved reference becomes an empty text, which must not be reported a second time. */
function isAmong(problems: readonly TargetProblem[], at: TargetProblem['at']): boolean {
  return problems.some((problem) => problem.at?.line === at?.line && problem.at?.column === at?.column);
}

/** Values from setup come from no variable. */
function sourceOf(yaml: TargetYaml, patch: unknown): Source {
  if (patch === undefined) return yaml;
  return {
    ...yaml,
    variableOf: (path) => (patches(patch, path) ? undefined : yaml.variableOf(path)),
    readIn: (path) => (patches(patch, path) ? undefined : yaml.readIn(path)),
  };
}
