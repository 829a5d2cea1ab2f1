import { existsSync } from 'node:fs';
import type { Waiver } from '../reports/record.ts';
import type { Environment } from '../targets/interpolate.ts';
import { readBounded } from '../targets/read-bounded.ts';
import { schemaProblems } from '../targets/schema-problems.ts';
import { TargetFileError, type TargetProblem } from '../targets/target-file-error.ts';
import { parseTargetYaml } from '../targets/target-yaml.ts';
import { waiverFileSchema } from './waiver-schema.ts';
import { type Waivable, waiverSenseProblems } from './waiver-sense.ts';

/** Reads a file of waivers. Throws TargetFileError with everything that is wrong with it. */
export function loadWaivers(path: string, environment: Environment, waivable: readonly Waivable[]): readonly Waiver[] {
  if (!existsSync(path)) throw new TargetFileError(path, [{ message: 'there is no such file of waivers' }]);
  return parseWaivers(readBounded(path), path, environment, waivable);
}

/** The text of such a file, as {@link loadWaivers}; `file` is how errors call it. */
export function parseWaivers(
  text: string,
  file: string,
  environment: Environment,
  waivable: readonly Waivable[],
): readonly Waiver[] {
  const yaml = parseTargetYaml(text, environment);
  if (yaml.problems.length > 0) throw new TargetFileError(file, yaml.problems);
  const parsed = waiverFileSchema.safeParse(yaml.value);
  const found = parsed.success
    ? waiverSenseProblems(parsed.data, waivable)
    : schemaProblems(waiverFileSchema, parsed.error.issues, yaml.value, 'a file of waivers');
  const problems = found.map(({ path, part, message }): TargetProblem => ({
    message,
    at: yaml.positionAt(yaml.offsetOf(path, part)),
  }));
  if (!parsed.success || problems.length > 0) throw new TargetFileError(file, problems);
  return parsed.data.waivers;
}
