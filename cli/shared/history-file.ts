import { readFile } from 'node:fs/promises';
import { causeOf, errorCode } from '../../core/error-code.ts';
import { appendRun, type HistoryFormat, readHistory } from '../../reports/history/history-file.ts';
import type { Context } from './context.ts';
import { shown } from '../../core/text.ts';
import { UserError } from './user-error.ts';
import { writeWhole } from './write-whole.ts';

/** A longer file is not a history: a thousand runs are at most 6 MB. */
const mostBytes = 16 * 1024 * 1024;
const mostProblems = 5;

export type OpenHistoryFile<Run> = {
  /** The runs in the file, oldest first. */
  readonly runs: readonly Run[];
  /** Writes the file with one more run, and returns all runs. */
  readonly append: (run: Run) => Promise<readonly Run[]>;
  /** Says why a run is not added. */
  readonly leaveOut: (reason: string) => void;
};

/**
 * Reads a history; a missing file is an empty one. Lines that are not runs are reported and kept. A file without any run is
 * another file of the user, and must not be written to.
 */
export async function openHistoryFile<Run extends { readonly format: string }>(
  path: string,
  format: HistoryFormat<Run>,
  { err }: Pick<Context, 'err'>,
): Promise<OpenHistoryFile<Run>> {
  const text = await readIfThere(path);
  const { runs, problems } = readHistory(text, format);
  if (runs.length === 0 && problems.length > 0) {
    throw new UserError(
      `${path} is not a history: none of its lines is a run of this kind. Name another file, or a new one.`,
    );
  }
  for (const { line, problem } of problems.slice(0, mostProblems))
    err.write(`! ${path}:${line}: ${shown(problem, 500)}\n`);
  if (problems.length > mostProblems) err.write(`! ${path}: and ${problems.length - mostProblems} more lines\n`);

  return {
    runs,
    async append(run) {
      const longer = appendRun(text, run, format);
      await writeWhole(path, longer);
      return readHistory(longer, format).runs;
    },
    leaveOut: (reason) => err.write(`! Not added to ${path}: ${reason}.\n`),
  };
}

async function readIfThere(path: string): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length <= mostBytes) return text;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw new UserError(`${path} cannot be read (${causeOf(error)}).`);
  }
  throw new UserError(`${path} is too long to be a history.`);
}
