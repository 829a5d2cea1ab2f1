import type { z } from 'zod';
import type { Environment } from './interpolate.ts';
import { type PartProblem, schemaProblems } from './schema-problems.ts';
import { TargetFileError, type TargetProblem } from './target-file-error.ts';
import { parseTargetYaml } from './target-yaml.ts';

export type FileKind<T> = {
  /** With its article: `a profile`. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Problems that the schema does not find. */
  readonly sense: (value: T) => readonly PartProblem[];
};

/** What a file holds, and the line of each part. */
export type Parsed<T> = { readonly value: T; readonly lineOf: (path: PartProblem['path']) => number };

/** Parses a YAML file with environment references. Throws TargetFileError with every problem, its line and column. */
export function parseFile<T>(text: string, file: string, environment: Environment, kind: FileKind<T>): Parsed<T> {
  const yaml = parseTargetYaml(text, environment);
  if (yaml.problems.length > 0) throw new TargetFileError(file, yaml.problems);
  const parsed = kind.schema.safeParse(yaml.value);
  const found = parsed.success
    ? kind.sense(parsed.data)
    : schemaProblems(kind.schema, parsed.error.issues, yaml.value, kind.name);
  const problems = found.map(({ path, part, message }): TargetProblem => ({
    message,
    at: yaml.placeOf(path, part),
  }));
  if (!parsed.success || problems.length > 0) throw new TargetFileError(file, problems);
  return { value: parsed.data, lineOf: (path) => yaml.placeOf(path, 'value').line };
}
