import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { realClock } from '../../core/clock.ts';
import { errorCode } from '../../core/error-code.ts';

/** A command of the target file with its input and bounds. */
export type Hook = {
  /** A shell command. */
  readonly command: string;
  /** Where it is run: the folder of the target file. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Its standard input. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
};

export type HookResult = {
  readonly end:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'killed'; readonly signal: string }
    | { readonly kind: 'timeout'; readonly timeoutMs: number }
    | { readonly kind: 'interrupted' }
    | { readonly kind: 'unstarted'; readonly code: string };
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it wrote more than {@link maxOutputBytes}, and the rest was dropped. */
  readonly cut: boolean;
  readonly durationMs: number;
};

/** The most bytes to keep of each of the two streams. */
export const maxOutputBytes = 1024 * 1024;

/** How long a command may take to end after SIGTERM, before it is killed. */
const graceMs = 3000;
/** How long output may lag behind the end of a command, because a process that it left running may hold its output open. */
const drainMs = 1000;

/**
 * Runs a hook to its end, at most `timeoutMs`; then kills it with everything that it started. It has its own process group,
 * so that Ctrl-C reaches it only through `signal`. Never rejects.
 */
export async function runHook(hook: Hook): Promise<HookResult> {
  const startedAt = realClock.now();
  const child = spawn(hook.command, {
    shell: true,
    cwd: hook.folder,
    env: hook.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin.on('error', () => {}); // it need not read
  child.stdin.end(hook.input ?? '');

  const { promise: ended, resolve: end } = Promise.withResolvers<HookResult['end']>();
  child.once('error', (error) => end({ kind: 'unstarted', code: errorCode(error) ?? 'no code' }));
  child.once('exit', (code, signal) =>
    end(code === null ? { kind: 'killed', signal: signal ?? 'a signal' } : { kind: 'exited', code }),
  );
  let cause: HookResult['end'] | undefined;
  function stop(why: HookResult['end']): void {
    if (cause !== undefined) return;
    cause = why;
    killGroup(child.pid, 'SIGTERM');
    setTimeout(() => killGroup(child.pid, 'SIGKILL'), graceMs).unref();
    void realClock.sleep(graceMs + drainMs).then(() => end(why));
  }
  const interrupt = () => stop({ kind: 'interrupted' });
  if (hook.signal?.aborted === true) interrupt();
  hook.signal?.addEventListener('abort', interrupt);
  const timer = setTimeout(() => stop({ kind: 'timeout', timeoutMs: hook.timeoutMs }), hook.timeoutMs);

  const result = await ended;
  clearTimeout(timer);
  hook.signal?.removeEventListener('abort', interrupt);
  if (result.kind !== 'unstarted')
    await Promise.race([Promise.all([stdout.over, stderr.over]), realClock.sleep(drainMs)]);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  return {
    end: cause ?? result,
    stdout: stdout.text(),
    stderr: stderr.text(),
    cut: stdout.cut() || stderr.cut(),
    durationMs: realClock.now() - startedAt,
  };
}

/** Reads a stream to its end, and keeps its beginning. */
function collect(stream: Readable) {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    if (length < maxOutputBytes) chunks.push(chunk);
    length += chunk.length;
  });
  const over = once(stream, 'close').catch(() => {});
  return {
    over,
    cut: () => length > maxOutputBytes,
    text: () => Buffer.concat(chunks).subarray(0, maxOutputBytes).toString('utf8'),
  };
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

/** Why a hook failed, as words that follow its name; undefined if it succeeded. */
export function hookFailure({ end }: HookResult): string | undefined {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? undefined : `ended with exit code ${end.code}`;
    case 'killed':
      return `was ended by ${end.signal}`;
    case 'timeout':
      return `was not done after ${end.timeoutMs / 1000} s and was killed`;
    case 'interrupted':
      return 'was interrupted';
    case 'unstarted':
      return `could not be started (${end.code})`;
  }
}
