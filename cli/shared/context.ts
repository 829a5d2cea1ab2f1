import { styleText } from 'node:util';

/** A stream of the process, or what a test has in its place. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** The environment, the output and the exit code of a command. */
export type Context = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** When the process started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** For results that people read. */
  readonly out: Output;
  /** For results that programs read: the same stream, and the text stays as it is. */
  readonly data: Output;
  /** For progress and errors. */
  readonly err: Output;
  /** Sets the exit code of the process. */
  readonly end: (exitCode: number) => void;
};

/** Whether to use colours: only on a terminal, and as NO_COLOR and FORCE_COLOR say. */
export function wantsColor(stream: Output): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}
