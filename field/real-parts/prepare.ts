import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { parse, stringify } from 'yaml';
import { realClock } from '../../core/clock.ts';
import { networkTarget } from '../../core/network/entry-points.ts';
import { createSession } from '../../engine/session/session.ts';
import { targetFile } from '../../reference/target-file.ts';
import { mergePatch } from '../../targets/merge-patch.ts';
import { diagnose } from '../../targets/doctor/doctor.ts';
import { fetchKeys } from '../../targets/resolve/key-commands.ts';
import { loadTarget } from '../../targets/target-file.ts';
import type { OnEnd } from '../../testing/network/gateways.ts';
import { type Finished, start } from '../finish.ts';
import { plainEnvironment } from '../plain-environment.ts';
import { type ServedOptions, serveNodes, type Way } from './ways.ts';

const installed = inject('installed');
const launcher = join(installed.folder, 'node_modules/analytics-workspace-conformance/cli/awc.mjs');

/** The proxies of the machine that runs the tests do not matter. */
const noProxies = { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' };

/** A folder with `target.yaml`, as a user has it. */
export type Prepared = {
  readonly awc: (...args: readonly string[]) => Promise<Finished>;
  /** Why no verdict is possible this way; undefined if one is. Found in this process, which takes less than starting a command. */
  readonly whyNot: () => Promise<string | undefined>;
  /** The path of a file in that folder. */
  readonly at: (name: string) => string;
  /** Runs a script in that folder, with the keys in the variables that reports name. */
  readonly bash: (script: string) => Promise<Finished>;
  readonly read: (name: string) => Promise<string>;
};

export type Setting = ServedOptions & {
  /** Further files of the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** A merge patch of the target file. */
  readonly patch?: unknown;
  readonly env?: Readonly<Record<string, string>>;
};

export const missing = 'needs openssl, nginx, haproxy, tinyproxy and squid: .ci/run installs them from Debian';

async function whyNot(path: string, environment: Readonly<Record<string, string>>): Promise<string | undefined> {
  const declared = loadTarget(path, environment);
  const target = await fetchKeys(declared.target, { folder: dirname(path), environment });
  const { deployment, close } = networkTarget(target);
  const session = createSession({ deployment, target, clock: realClock, seed: 1, invariants: [] });
  const { unusable } = await diagnose(session).finally(close);
  return unusable;
}

/** Puts the parts of a way in front of a new deployment, until the test ends. Undefined if a part is not installed. */
export async function prepare(way: Way, onEnd: OnEnd, setting: Setting = {}): Promise<Prepared | undefined> {
  const served = await serveNodes(setting, onEnd);
  const reached = await way(served, onEnd);
  if (reached === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'awc-real-parts-'));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const { baseUrl: _one, baseUrls: _several, ...declared } = parse(targetFile(served.target));
  const target = mergePatch(
    { ...declared, ...reached.file, limits: { maxRequestsPerSecond: 500 } },
    setting.patch ?? {},
  );
  const files = { ...reached.files, ...setting.files, 'target.yaml': stringify(target) };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const compiled = { NODE_COMPILE_CACHE: join(installed.folder, '.compiled') };
  const env = { ...plainEnvironment(), ...noProxies, ...compiled, ...reached.env, ...setting.env };
  const keys = Object.fromEntries(served.target.principals.map(({ variable, key }) => [variable.slice(1), key]));
  return {
    at: (name) => join(folder, name),
    whyNot: () => whyNot(join(folder, 'target.yaml'), env),
    awc: (...args) => start(process.execPath, [launcher, ...args], { cwd: folder, env }).finished,
    bash: (script) => start('bash', ['--norc', '-c', script], { cwd: folder, env: { ...env, ...keys } }).finished,
    read: (name) => readFile(join(folder, name), 'utf8'),
  };
}
