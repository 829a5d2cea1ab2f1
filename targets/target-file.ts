import { dirname } from 'node:path';
import type { Target } from '../core/target.ts';
import type { Environment } from './interpolate.ts';
import { mergePatch, patches } from './merge-patch.ts';
import { readTlsSettings } from './resolve/tls.ts';
import { readBounded } from './read-bounded.ts';
import { resolveProxy } from './resolve/proxy.ts';
import { resolveTarget, type Source } from './resolve/target.ts';
import { type PartProblem, schemaProblems } from './schema-problems.ts';
import { TargetFileError, type TargetProblem } from './target-file-error.ts';
import { type TargetFile, targetFileSchema } from './target-schema.ts';
import { senseProblems } from './target-sense.ts';
import { type Path, parseTargetYaml, type TargetYaml } from './target-yaml.ts';

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
  const parsed = targetFileSchema.safeParse(value);
  const tls = parsed.success ? readTlsSettings(parsed.data, dirname(file)) : { problems: [] };
  const proxy = resolveProxy(parsed.data ?? {}, environment);
  const found = parsed.success
    ? [...senseProblems(parsed.data, sourceOf(yaml, patch).readIn), ...tls.problems, ...proxy.problems]
    : schemaProblems(targetFileSchema, parsed.error.issues, value);
  const problems = [...yaml.problems, ...located(yaml, found, patch)];
  if (!parsed.success || problems.length > 0) throw new TargetFileError(file, problems);

  const { target, notes } = resolveTarget(parsed.data, { ...tls, ...proxy }, sourceOf(yaml, patch));
  if (target.principals.length === 0) {
    const at = yaml.positionAt(yaml.offsetOf(['principals'], 'key'));
    throw new TargetFileError(file, [{ message: 'no principal has a key; set at least one variable', at }]);
  }
  return { target, notes, raw: parsed.data };
}

const setupPath: Path = ['hooks', 'setup'];

function patched(yaml: TargetYaml, file: string, patch: unknown): unknown {
  const refuse = (message: string): never => {
    throw new TargetFileError(file, [{ message: `hooks.setup ${message}`, at: placeOf(yaml, setupPath, 'value') }]);
  };
  if (patches(patch, ['hooks'])) refuse('printed hooks or not an object; it must print a JSON object without hooks');
  if (JSON.stringify(patch)?.includes('"__proto__":') === true)
    refuse('printed the name __proto__; it must choose another');
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
      return [{ message: `hooks.setup printed an invalid value: ${message}`, at: placeOf(yaml, setupPath, 'value') }];
    }
    const problem: TargetProblem = { message, at: placeOf(yaml, path, part) };
    return isAmong(yaml.problems, problem.at) ? [] : [problem];
  });
}

function placeOf(yaml: TargetYaml, path: Path, part: 'key' | 'value'): NonNullable<TargetProblem['at']> {
  return yaml.positionAt(yaml.offsetOf(path, part));
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
