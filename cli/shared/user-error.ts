/** An error that the user can fix: one sentence, no stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly exitCode: 2 | 3 | 6 | 130;

  /** 2: wrong usage or configuration. 3: the target is not reachable, or no key works. 6: a part of a load is missing. 130: interrupted. */
  constructor(sentence: string, exitCode: 2 | 3 | 6 | 130 = 2) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
