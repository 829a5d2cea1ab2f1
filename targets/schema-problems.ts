import { z } from 'zod';
import { at as valueAt } from '../core/json.ts';
import { nearestAlike } from '../core/names/nearest.ts';
import type { Path } from './target-yaml.ts';

/** A problem with one part of a file, before its position is known. */
export type PartProblem = { readonly path: Path; readonly part: 'key' | 'value'; readonly message: string };

/** Schema issues as messages that name the field and its remedy. */
export function schemaProblems(
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  kind = 'a target file',
): readonly PartProblem[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const known = fieldsAt(schema, issue.path);
      return issue.keys.map((key) => unknownField([...issue.path, key], key, known, kind));
    }
    const isMissing = issue.path.length > 0 && valueAt(value, ...issue.path) === undefined;
    const name = nameOf(issue.path);
    const message = isMissing ? `${name} is missing; it ${issue.message}` : `${name} ${issue.message}`;
    const problem: PartProblem = { path: issue.path, part: 'value', message };
    return [problem];
  });
}

/** A path as text, such as `principals.alice.adminOf[0]`. Safe to print. */
function nameOf(path: Path): string {
  const name = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${legible(String(step))}`))
    .join('')
    .replace(/^\./, '');
  return name === '' ? 'the file' : name;
}

/** Text from the file on one line, without control characters. */
export function legible(text: string): string {
  if (/^[\p{L}\p{N}_-]{1,80}$/u.test(text)) return text;
  return JSON.stringify(text.replaceAll(/[\p{C}\p{Z}]/gu, ' ').slice(0, 80));
}

/** A problem with a part of a file; the message continues the name of the part. */
export function at(path: Path, message: string, part: 'key' | 'value' = 'value'): PartProblem {
  return { path, part, message: `${nameOf(path)} ${message}` };
}

function unknownField(path: Path, key: string, known: readonly string[], kind: string): PartProblem {
  const likely = nearestAlike(key, known);
  const advice = likely === undefined ? `known fields: ${known.join(', ')}` : `did you mean ${likely}?`;
  return { path, part: 'key', message: `${nameOf(path)} is not a field of ${kind}; ${advice}` };
}

/** The names of the fields that a schema has at a path. */
function fieldsAt(schema: unknown, path: Path): readonly string[] {
  if (schema instanceof z.ZodOptional) return fieldsAt(schema.unwrap(), path);
  const [step, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    return step === undefined ? Object.keys(schema.shape) : fieldsAt(schema.shape[String(step)], rest);
  }
  if (schema instanceof z.ZodRecord) return fieldsAt(schema.valueType, rest);
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
  return [];
}

/** Whether the name `__proto__` stands in the data, which is JSON. */
export function namesPrototype(data: unknown): boolean {
  return JSON.stringify(data)?.includes('"__proto__":') === true;
}
