import { styleText } from 'node:util';

/** The environment, the output and the exit code of a command. */
export type Context = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For results. */
  readonly out: NodeJS.WriteStream;
  /** For progress and errors. */
  readonly err: NodeJS.WriteStream;
  /** Sets the exit code of the process. */
  readonly end: (exitCode: number) => void;
};

/** Whether to use colours: only on a terminal, and as NO_COLOR and FORCE_COLOR say. */
export function wantsColor(stream: NodeJS.WriteStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}
