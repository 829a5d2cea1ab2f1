import { randomInt } from 'node:crypto';
import { posix } from 'node:path';
import type { Target } from '../../../core/target.ts';
import { readProfile } from '../../../load/profile/profile-file.ts';
import type { Profile } from '../../../load/profile/profile.ts';
import type { Environment } from '../../../targets/interpolate.ts';
import { readBounded } from '../../../targets/read-bounded.ts';
import { type LoadedTarget, parseTarget } from '../../../targets/target-file.ts';
import { refuseUnlessAllowed } from '../announce-load.ts';
import { forUser } from '../../shared/for-user.ts';
import { UserError } from '../../shared/user-error.ts';
import { type ClusterRun, type PodFile, targetFolder, targetPath } from './cluster-run.ts';
import { usualShards } from './kubernetes-options.ts';
import type { LoadCommandOptions } from '../load-options.ts';

type ClusterOptions = Pick<LoadCommandOptions, 'profile' | 'shards' | 'seed' | 'print'> & { readonly image: string };

/** A ConfigMap holds a mebibyte. */
const mostFileBytes = 1_000_000;

/** The variables of a proxy: that of this machine is not on the way of the pods. */
const proxyVariable = /^(https?|no)_proxy$/i;

const nameLetters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Reads what the pods need. Throws UserError if they could not run it, before anything is created. To print a run, its keys
 * need not be set.
 */
export function prepareRun(path: string, options: ClusterOptions, env: Environment): ClusterRun & Announced {
  const readAll = options.print ? readToPrint : readFiles;
  const { text, loaded, profile, read } = readAll(path, options.profile, env);
  const { target, raw } = loaded;
  refuseUnfit(path, text, loaded);
  refuseUnlessAllowed(profile.profile, target);
  const { load, warmUpMs, timeoutMs, name } = profile.profile;
  if (load.schedule === undefined || load.plannedMs === undefined)
    throw new UserError('--kubernetes divides the schedule of an open load; this profile has none.');
  const profilePath = `profile/${name}.yaml`;
  const files = [
    { path: targetPath, text },
    { path: profilePath, text: profile.text },
  ];
  refuseTooLarge(files);
  return {
    name: `awc-${Array.from({ length: 8 }, () => nameLetters[randomInt(nameLetters.length)]).join('')}`,
    image: options.image,
    shards: options.shards ?? usualShards,
    seed: options.seed ?? randomInt(2 ** 32),
    files,
    secretFiles: tlsFiles(raw.tls, target),
    variables: Object.fromEntries(read),
    unset: [...read.keys()].filter((variable) => env[variable] === undefined).toSorted(),
    profilePath,
    loadMs: warmUpMs + load.plannedMs + load.besideMs + timeoutMs,
    secrets: [...target.principals, ...(target.secrets ?? [])],
    target,
    profile: profile.profile,
  };
}

/** What the run is announced with. */
type Announced = { readonly target: Target; readonly profile: Profile };

/** An environment that remembers what is read from it. */
function recorded(env: Environment) {
  const read = new Map<string, string>();
  const environment = new Proxy(env, {
    get(own, name) {
      const value = typeof name === 'string' && !proxyVariable.test(name) ? own[name] : undefined;
      if (typeof name === 'string' && value !== undefined) read.set(name, value);
      return value;
    },
  });
  return { read, environment };
}

function readFiles(path: string, profileName: string, env: Environment) {
  const { read, environment } = recorded(env);
  return forUser(() => {
    const text = readBounded(path);
    const loaded = parseTarget(text, path, environment);
    return { text, loaded, profile: readProfile(profileName, environment), read };
  });
}

/** Nothing is sent, so keys that are not set may have stand-ins. If one does not fit, the first problem counts. */
function readToPrint(path: string, profileName: string, env: Environment) {
  try {
    return readFiles(path, profileName, env);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    try {
      return readFiles(path, profileName, { ...env, ...standIns(readBounded(path), env) });
    } catch {
      throw error;
    }
  }
}

/** For each variable without a default that is not set. */
function standIns(text: string, env: Environment): Environment {
  const names = [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].flatMap(([, name]) => name ?? []);
  return Object.fromEntries(
    names.filter((name) => env[name] === undefined).map((name) => [name, `stand-in-for-${name}`]),
  );
}

/** The pods get the file as it is, in a ConfigMap, which more people can read than a Secret. */
function refuseUnfit(path: string, text: string, { target, raw }: LoadedTarget): void {
  const written = target.principals.find(({ isWritten }) => isWritten === true);
  if (written !== undefined)
    throw new UserError(
      `${path} has the key of ${written.name} in it, and becomes a ConfigMap: refer to an environment variable, such as \${${written.variable.slice(1)}}.`,
    );
  if (target.secrets?.some(({ key }) => text.includes(key)) === true)
    throw new UserError(
      `${path} has a secret in it (a header, a passphrase or a password), and becomes a ConfigMap: refer to an environment variable.`,
    );
  if (target.principals.some(({ keyCommand }) => keyCommand !== undefined))
    throw new UserError(`${path} has a key.command, which the pods cannot run: refer to an environment variable.`);
  if ((raw.hooks?.setup ?? raw.hooks?.teardown) !== undefined)
    throw new UserError(
      `${path} has hooks, which every pod would run: use a file without hooks, and run them yourself.`,
    );
}

function refuseTooLarge(files: readonly PodFile[]): void {
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > mostFileBytes)
    throw new UserError(
      `the target file and the profile have ${bytes} bytes, and a ConfigMap holds ${mostFileBytes}: shorten them.`,
    );
}

function tlsFiles(tls: LoadedTarget['raw']['tls'], target: Target): readonly PodFile[] {
  return (['ca', 'cert', 'key'] as const).flatMap((name) => {
    const [path, text] = [tls?.[name], target.tls?.[name]];
    return path === undefined || text === undefined ? [] : [{ path: belowTarget(path), text }];
  });
}

/** A path below the target file, for the pods. Throws UserError for any other. */
function belowTarget(path: string): string {
  const normal = posix.normalize(path);
  if (posix.isAbsolute(normal) || normal.split('/').includes('..'))
    throw new UserError(
      `${path} must be in the folder of the target file or below it, so that the pods find it there.`,
    );
  return `${targetFolder}/${normal}`;
}
