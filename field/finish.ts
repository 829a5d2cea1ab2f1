import { spawn } from 'node:child_process';

export type Finished = { readonly code: number | null; readonly out: string; readonly err: string };

export type SpawnOptions = {
  readonly cwd: string;
  /** The whole environment; by default that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user and group to run as. */
  readonly uid?: number;
  readonly gid?: number;
  readonly timeoutMs?: number;
};

export type Started = {
  readonly finished: Promise<Finished>;
  /** Its stdout so far. */
  readonly said: () => string;
  /** Kills it and all its children. */
  readonly kill: () => void;
};

/** Starts a program and collects its output. Kills it after a timeout, by default 5 minutes. */
export function start(
  command: string,
  args: readonly string[],
  { timeoutMs = 300_000, env = process.env, ...options }: SpawnOptions,
): Started {
  const child = spawn(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  function kill(): void {
    if (child.pid === undefined || child.exitCode !== null) return;
    try {
      process.kill(-child.pid, 'SIGKILL'); // killing only the shell would leave its commands running
    } catch {
      // It has already ended.
    }
  }
  const timer = setTimeout(kill, timeoutMs);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out, err });
    });
  });
  return { finished, said: () => out, kill };
}

/** Runs a program to its end. Throws with all its output if the exit code is not 0. */
export async function finish(command: string, args: readonly string[], options: SpawnOptions): Promise<Finished> {
  const ended = await start(command, args, options).finished;
  if (ended.code === 0) return ended;
  throw new Error(`${command} ${args.join(' ')} ended with ${ended.code}:\n${ended.out}${ended.err}`);
}
