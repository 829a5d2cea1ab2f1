/** Something wrong with a target file. The message says what it is and what to do, and never holds a key. */
export type TargetProblem = {
  readonly message: string;
  /** Both from 1; missing when the problem is with the file as a whole. */
  readonly at?: { readonly line: number; readonly column: number };
};

/** Everything that is wrong with a target file, in the order of its lines. */
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
