import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../targets/interpolate.ts';
import { nearestAlike } from '../../core/names/nearest.ts';
import { packageFolder } from '../../core/own-module.ts';
import { parseFile } from '../../targets/parse-file.ts';
import { readBounded } from '../../targets/read-bounded.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { loadKinds } from '../kinds/kinds.ts';
import { durationMs, shareOf } from './fields.ts';
import { resolveMix } from './mix.ts';
import type { Profile } from './profile.ts';
import { type ProfileFile, profileSchema } from './profile-schema.ts';
import { profileSenseProblems } from './profile-sense.ts';
import { parseThreshold, type Threshold } from './threshold.ts';

/** The names of the profiles that come with the command. */
export function shippedProfiles(): readonly string[] {
  return readdirSync(shippedFolder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .toSorted();
}

/** Reads a profile by the name of a shipped one or by a path. Throws TargetFileError with everything that is wrong with it. */
export function loadProfile(nameOrPath: string, environment: Environment): Profile {
  return readProfile(nameOrPath, environment).profile;
}

/** As {@link loadProfile}, with the text of its file. */
export function readProfile(
  nameOrPath: string,
  environment: Environment,
): { readonly profile: Profile; readonly text: string } {
  const shipped = shippedProfiles();
  const isShipped = shipped.includes(nameOrPath);
  const path = isShipped ? fileURLToPath(new URL(`${nameOrPath}.yaml`, shippedFolder)) : nameOrPath;
  if (!existsSync(path)) {
    const likely = nearestAlike(nameOrPath, shipped);
    const advice = likely === undefined ? `the shipped ones are ${shipped.join(', ')}` : `did you mean ${likely}?`;
    throw new TargetFileError(nameOrPath, [{ message: `this profile does not exist; ${advice}` }]);
  }
  const text = readBounded(path);
  return { profile: parseProfile(text, isShipped ? nameOrPath : path, environment), text };
}

/** A profile's text, as {@link loadProfile}; `file` is its name in errors. */
export function parseProfile(text: string, file: string, environment: Environment): Profile {
  const readFile = (path: string) => readBounded(join(dirname(file), path), 'there is no such file beside the profile');
  const sense = (value: ProfileFile) => profileSenseProblems(value, readFile);
  const format = { name: 'a profile', schema: profileSchema, sense };
  const { value: written } = parseFile(text, file, environment, format);
  const [[name, ofKind] = []] = Object.entries(written.load);
  const kind = loadKinds.find((candidate) => candidate.name === name);
  if (kind === undefined) throw new Error('a profile without a load');
  const { stepNames, resolve } = kind.read(ofKind, readFile);
  return {
    name: basename(file).replace(/\.ya?ml$/, ''),
    question: written.question,
    load: resolve(durationMs(written.duration ?? '0s')),
    warmUpMs: durationMs(written.warmUp ?? '0s'),
    timeoutMs: durationMs(written.timeout ?? '10s'),
    mix: resolveMix(written.operations),
    thresholds: thresholdsOf(written.thresholds, stepNames),
    abort: thresholdsOf(written.abort, stepNames),
    validate: shareOf(written.validate ?? '100%'),
    rateLimitedIsError: written.rateLimitedIsError ?? false,
    ...(written.server === undefined
      ? {}
      : { server: { metrics: written.server.metrics, series: written.server.series ?? [] } }),
    ...(written.workers === undefined ? {} : { workers: written.workers }),
  };
}

function thresholdsOf(texts: readonly string[] = [], steps: readonly string[] = []): readonly Threshold[] {
  return texts.map((text) => {
    const parsed = parseThreshold(text, steps);
    if ('problem' in parsed) throw new Error(`a threshold that was not checked: ${text}`);
    return parsed;
  });
}

/** The folder of the shipped profiles. */
const shippedFolder = new URL('profiles/', packageFolder);

/** The text of a profile that runs with that kind of load. Throws for a kind that is not in {@link loadKinds}. */
export function templateOf(kind: string): string {
  const found = loadKinds.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(`there is no kind of load with the name ${kind}`);
  return readFileSync(new URL(`${found.example}.yaml`, shippedFolder), 'utf8');
}
