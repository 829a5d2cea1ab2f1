import { spawn } from 'node:child_process';
import { causeOf, errorCode } from '../../../core/error-code.ts';
import type { Redactor } from '../../../core/redaction/redact.ts';
import { shown } from '../../../core/text.ts';
import { UserError } from '../../shared/user-error.ts';

export type KubectlOptions = {
  /** Its standard input; what is secret goes here, because arguments can be seen by other users of this machine. */
  readonly input?: string;
  readonly timeoutMs?: number;
  /** Gets each line of the standard output, which is not kept then. */
  readonly onLine?: (line: string) => void;
};

export type KubectlResult = {
  readonly ok: boolean;
  readonly out: string;
  /** Why it failed, without secrets; empty if it succeeded. */
  readonly problem: string;
};

/** Runs kubectl to its end. Rejects with UserError if there is no kubectl, or the run is interrupted. */
export type Kubectl = (args: readonly string[], options?: KubectlOptions) => Promise<KubectlResult>;

type Settings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly context: string | undefined;
  readonly namespace: string | undefined;
  readonly redactor: Redactor;
  /** Kills what is running. */
  readonly signal: AbortSignal;
};

const usualTimeoutMs = 60_000;
/** The most characters of an answer, and of one line of a log. The record of a load with many parts is one line. */
const mostOutput = 64 * 1024 * 1024;
/** The most characters of an error message to read and to show. */
const mostProblem = 64 * 1024;
const shownProblem = 1000;

/** kubectl with the user's settings for one cluster. */
export function createKubectl({ env, context, namespace, redactor, signal }: Settings): Kubectl {
  const place = [
    ...(context === undefined ? [] : [`--context=${context}`]),
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
  ];
  return async (args, { input = '', timeoutMs = usualTimeoutMs, onLine } = {}) => {
    if (signal.aborted) throw new UserError('interrupted.', 130);
    const { promise, resolve, reject } = Promise.withResolvers<{
      readonly code: number | null;
      readonly why?: string;
    }>();
    // Ctrl-C in a terminal must reach only this process, which then cleans up.
    const child = spawn('kubectl', [...place, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const end = (why: string) => {
      child.kill('SIGKILL');
      resolve({ code: null, why });
    };
    const out = onLine === undefined ? keep(mostOutput, () => end('its answer is too long')) : lines(onLine);
    const err = keep(mostProblem);
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.take(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.take(text));
    child.stdin.on('error', () => {}); // it need not read
    child.stdin.end(input);
    child.on('error', (error) => reject(unstarted(error)));
    child.on('close', (code) => resolve({ code }));
    const timer = setTimeout(() => end(`it did not end within ${timeoutMs / 1000} s`), timeoutMs);
    const interrupt = () => end('interrupted');
    signal.addEventListener('abort', interrupt);
    try {
      const { code, why } = await promise;
      if (signal.aborted) throw new UserError('interrupted.', 130);
      if (code === 0) return { ok: true, out: out.text(), problem: '' };
      const said = shown(redactor.text(messageIn(err.text())), shownProblem);
      const failure = why ?? (said === '' ? `it ended with exit code ${code}` : said);
      return { ok: false, out: '', problem: `kubectl ${args[0]}: ${failure}` };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
    }
  };
}

/** Whether no API server answered, so that nothing was created. A server can also report a connection that it could not make. */
export function isUnreachable(problem: string): boolean {
  if (problem.includes('Error from server')) return false;
  return /dial tcp|Unable to connect to the server|connection to the server .* was refused/.test(problem);
}

/** A line of the log of kubectl, such as `E1129 16:25:49.414986   18671 memcache.go:265] "Unhandled Error" …`. */
const logLine = /^[EFIW]\d{4} [\d:.]+ +\d+ [\w.-]+:\d+\] /;

/** What kubectl says on standard error, in one line. Its log repeats the failure for each attempt. */
function messageIn(text: string): string {
  const said = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const message = said.filter((line) => !logLine.test(line));
  return (message.length > 0 ? message : said.slice(-1)).join('; ');
}

function unstarted(error: Error): UserError {
  return new UserError(
    errorCode(error) === 'ENOENT'
      ? '--kubernetes needs kubectl, which is not on the PATH: install it (kubernetes.io/docs/tasks/tools), and try kubectl get pods.'
      : `kubectl cannot be started (${causeOf(error)}).`,
  );
}

/** Keeps the beginning of a stream. */
function keep(most: number, onTooMuch: () => void = () => {}) {
  let text = '';
  return {
    take(chunk: string): void {
      if (text.length > most) return;
      text += chunk;
      if (text.length > most) onTooMuch();
    },
    text: () => text.slice(0, most),
  };
}

/** Calls `onLine` with each line of a stream; of a line that is too long, only with its beginning. */
function lines(onLine: (line: string) => void) {
  let rest = '';
  return {
    take(chunk: string): void {
      const [first = '', ...more] = chunk.split('\n');
      if (rest.length < mostOutput) rest += first;
      for (const next of more) {
        onLine(rest);
        rest = next;
      }
    },
    text: () => '',
  };
}
