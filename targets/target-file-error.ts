/** A problem with a target file. The message contains the remedy, and never a key. */
export type TargetProblem = {
  readonly message: string;
  /** Both count from 1. Undefined for a problem with the whole file. */
  readonly at?: { readonly line: number; readonly column: number };
};

/** Every problem of a target file, in the order of its lines. */
export class TargetFileError extends Error {
  override readonly name = 'TargetFileError';
  readonly problems: readonly TargetProblem[];

  constructor(file: string, problems: readonly TargetProblem[]) {
    const ordered = problems.toSorted(
      (a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
    );
    super(ordered.map(({ at, message }) => `${file}${at ? `:${at.line}:${at.column}` : ''}: ${message}`).join('\n'));
    this.problems = ordered;
  }
}
