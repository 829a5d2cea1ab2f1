import { type ChildProcess, spawn } from 'node:child_process';

export type Finished = { readonly code: number | null; readonly out: string; readonly err: string };

export type SpawnOptions = {
  readonly cwd: string;
  /** The whole environment; that of this process where it is left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Runs it as that user and group. */
  readonly uid?: number;
  readonly gid?: number;
  readonly timeoutMs?: number;
};

/** Starts a program with its output gathered. It is killed when its time is up, 3 minutes unless told otherwise. */
export function start(
  command: string,
  args: readonly string[],
  { timeoutMs = 180_000, ...options }: SpawnOptions,
): { readonly child: ChildProcess; readonly finished: Promise<Finished>; readonly said: () => string } {
  const child = spawn(command, args, {
    ...options,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
  return { child, finished, said: () => out };
}

/** Runs a program to its end. Throws with all that it said when it does not end with 0. */
export async function finish(command: string, args: readonly string[], options: SpawnOptions): Promise<Finished> {
  const ended = await start(command, args, options).finished;
  if (ended.code === 0) return ended;
  throw new Error(`${command} ${args.join(' ')} ended with ${ended.code}:\n${ended.out}${ended.err}`);
}
