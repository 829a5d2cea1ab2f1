import type { Target } from '../core/target.ts';
import { readTlsSettings } from './resolve/tls.ts';
import type { Environment } from './interpolate.ts';
import { resolveProxy } from './resolve/proxy.ts';
import { resolveTarget } from './resolve/target.ts';
import { schemaProblems } from './schema-problems.ts';
import { TargetFileError } from './target-file-error.ts';
import { targetFileSchema } from './target-schema.ts';
import { senseProblems } from './target-sense.ts';

/** The target that data with the fields of a target file describes; its files are relative to the current folder. Throws {@link TargetFileError} with every problem. */
export function targetOf(
  data: unknown,
  environment: Environment = process.env,
): { readonly target: Target; readonly notes: readonly string[] } {
  const parsed = targetFileSchema.safeParse(data);
  const tls = parsed.success ? readTlsSettings(parsed.data, process.cwd()) : { problems: [] };
  const proxy = resolveProxy(parsed.data ?? {}, environment);
  const problems = parsed.success
    ? [...senseProblems(parsed.data), ...tls.problems, ...proxy.problems]
    : schemaProblems(targetFileSchema, parsed.error.issues, data, 'a target');
  if (!parsed.success || problems.length > 0) {
    throw new TargetFileError(
      'the target',
      problems.map(({ message }) => ({ message })),
    );
  }
  const { target, notes } = resolveTarget(parsed.data, { ...tls, ...proxy });
  if (target.principals.length === 0) {
    throw new TargetFileError('the target', [{ message: 'no principal has a key' }]);
  }
  return { target, notes };
}
