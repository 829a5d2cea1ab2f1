import { styleText } from 'node:util';

/** Where a command reads its environment, writes, and says how it ended. */
export type Context = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For results. */
  readonly out: NodeJS.WriteStream;
  /** For progress and errors. */
  readonly err: NodeJS.WriteStream;
  /** The exit code that the process will have. */
  readonly end: (exitCode: number) => void;
};

/** Whether colours are wanted there: only on a terminal, and NO_COLOR and FORCE_COLOR are heeded. */
export function wantsColor(stream: NodeJS.WriteStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}
