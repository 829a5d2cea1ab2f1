import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../targets/interpolate.ts';
import { nearest } from '../../targets/nearest.ts';
import { parseFile } from '../../targets/parse-file.ts';
import { readBounded } from '../../targets/read-bounded.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
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
  const kind = { name: 'a profile', schema: profileFileSchema, sense: profileSenseProblems };
  const parsed = parseFile(text, file, environment, kind);
  return resolveProfile(basename(file).replace(/\.ya?ml$/, ''), parsed);
}
