/** For the tests of the command line: starts it as users do, and references for it to judge. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type CommandProcess, main } from '../cli/main.ts';
import type { Context, Output } from '../cli/shared/context.ts';
import { realClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import type { Target } from '../core/target.ts';
import { createReference } from '../reference/reference.ts';
import { serveEntryPoints } from '../reference/http/serve-entry-points.ts';
import { targetFile } from '../reference/target-file.ts';
import type { Waiver } from '../reports/record/record.ts';
import { launcher, loadMain } from './launcher.ts';

/** What a process of a test gets of the environment: nothing that changes what it does. */
const inherited = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' };

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** Starts `awc` in a folder of its own. It ends with the test at the latest. */
export function startAwc(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended>; readonly says: (text: RegExp) => Promise<string> } {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...inherited, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
  /** Waits for a text, and gives its first group. */
  async function says(text: RegExp): Promise<string> {
    for (;;) {
      const found = text.exec(out) ?? text.exec(err);
      if (found !== null) return found[1] ?? '';
      if (child.exitCode !== null) throw new Error(`it ended without saying ${text.source}: ${out}${err}`);
      await realClock.sleep(20);
    }
  }
  return { child, ended, says };
}

/**
 * Runs `awc` in this process, which saves starting one: for tests of what a command does, and not of how a process starts,
 * ends or is interrupted.
 */
export function awc(...args: readonly string[]): Promise<Ended> {
  return awcWith({}, ...args);
}

/** The same, with an environment. */
export async function awcWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  return callMain(await loadMain(), env, args);
}

/** The same as {@link awc}, from the sources: for files that import modules of this checkout, as the command has to. */
export function awcOfSources(...args: readonly string[]): Promise<Ended> {
  return callMain(main, {}, args);
}

async function callMain(
  run: typeof main,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Ended> {
  const [stdout, stderr] = [createCollector(), createCollector()];
  const own: CommandProcess = {
    argv: ['node', 'awc', ...args],
    env,
    stdout,
    stderr,
    exitCode: undefined,
    exit() {},
    uptime: () => 0,
  };
  const { exitCode } = process;
  await run(own);
  process.exitCode = exitCode; // A violation within a run counts for that run only.
  return { code: Number(own.exitCode ?? 0), out: stdout.text(), err: stderr.text() };
}

/** What a command gets that has no environment and started in 1970, with one output for results and one for errors. */
export function contextOn(out: Output, err: Output = out): Context {
  return { env: {}, startedAt: 0, out, data: out, err, end: () => {} };
}

/** An output that keeps its text. */
export function createCollector(): Output & { readonly text: () => string } {
  const parts: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(part, _encoding, done) {
      parts.push(String(part));
      done();
    },
  });
  return Object.assign(stream, { text: () => parts.join('') });
}

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'awc-test-')); // at once: after a pause, another test may be under way
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A target file that lets a run send as fast as a test wants it to. */
export async function writtenTarget(target: Target): Promise<string> {
  const path = join(await temporaryFolder(), 'target.yaml');
  const maxRequestsPerSecond = Math.min(1000, target.limits.maxRequestsPerSecond);
  await writeFile(path, targetFile({ ...target, limits: { ...target.limits, maxRequestsPerSecond } }));
  return path;
}

/** A file of waivers that lacks nothing; what is not given is made up. */
export async function writtenWaivers(...waivers: readonly Partial<Waiver>[]): Promise<string> {
  const path = join(await temporaryFolder(), 'waivers.yaml');
  const whole = {
    reason: 'It is known.',
    owner: 'Somebody',
    link: 'https://issues.example.com/1',
    expires: '2999-12-31',
  };
  await writeFile(path, JSON.stringify({ waivers: waivers.map((waiver) => ({ ...whole, ...waiver })) }));
  return path;
}

type ServedOptions = {
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  readonly latencyMs?: readonly [number, number];
  /** Puts another deployment in front of the reference. */
  readonly wrap?: (reference: Deployment) => Deployment;
};

/** A reference on a port, until the test ends. */
export async function servedReference(options: ServedOptions = {}): Promise<Target> {
  const { faults = [], choices = {}, latencyMs = [0, 0], wrap } = options;
  const { deployment, target } = createReference({ clock: realClock, seed: 1, faults, choices, latencyMs });
  const served = { deployment: wrap?.(deployment) ?? deployment, target };
  const server = await serveEntryPoints(served, { port: 0, host: '127.0.0.1' });
  onTestFinished(server.close);
  return server.target;
}
