import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../targets/interpolate.ts';
import { nearest } from '../targets/nearest.ts';
import { schemaProblems } from '../targets/schema-problems.ts';
import { readBounded } from '../targets/read-bounded.ts';
import { TargetFileError, type TargetProblem } from '../targets/target-file-error.ts';
import { parseTargetYaml } from '../targets/target-yaml.ts';
import type { Profile } from './profile.ts';
import { profileFileSchema } from './profile-schema.ts';
import { profileSenseProblems } from './profile-sense.ts';
import { resolveProfile } from './resolve-profile.ts';
import { shippedProfiles, shippedProfileUrl } from './shipped.ts';

/** Reads a profile by the name of a shipped one or by a path. Throws TargetFileError with everything that is wrong with it. */
export function loadProfile(nameOrPath: string, environment: Environment): Profile {
  const url = shippedProfileUrl(nameOrPath);
  const path = url === undefined ? nameOrPath : fileURLToPath(url);
  if (!existsSync(path)) {
    const likely = nearest(nameOrPath, shippedProfiles);
    const advice =
      likely === undefined ? `the shipped ones are ${shippedProfiles.join(', ')}` : `did you mean ${likely}?`;
    throw new TargetFileError(nameOrPath, [{ message: `there is no such profile; ${advice}` }]);
  }
  return parseProfile(readBounded(path), url === undefined ? path : nameOrPath, environment);
}

/** A profile's text, as {@link loadProfile}; `file` is how errors call it. */
export function parseProfile(text: string, file: string, environment: Environment): Profile {
  const yaml = parseTargetYaml(text, environment);
  if (yaml.problems.length > 0) throw new TargetFileError(file, yaml.problems);
  const parsed = profileFileSchema.safeParse(yaml.value);
  const found = parsed.success
    ? profileSenseProblems(parsed.data)
    : schemaProblems(profileFileSchema, parsed.error.issues, yaml.value, 'a profile');
  const problems = found.map(({ path, part, message }): TargetProblem => ({
    message,
    at: yaml.positionAt(yaml.offsetOf(path, part)),
  }));
  if (!parsed.success || problems.length > 0) throw new TargetFileError(file, problems);
  return resolveProfile(basename(file).replace(/\.ya?ml$/, ''), parsed.data);
}
