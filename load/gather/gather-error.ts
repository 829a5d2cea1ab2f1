/** Why a part of a load has no record, as a sentence for its user. */
export class GatherError extends Error {
  override readonly name = 'GatherError';
  readonly exitCode: 2 | 6 | 130;

  /** 2: wrong usage or configuration. 6: a part is missing. 130: interrupted. */
  constructor(sentence: string, exitCode: 2 | 6 | 130) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
