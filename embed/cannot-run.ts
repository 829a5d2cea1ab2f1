/** Why there is no verdict: one sentence about something that the caller can fix. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
  /** `usage`: the target or an option is wrong. `unreachable`: the deployment does not answer, or no key works. */
  readonly reason: 'usage' | 'unreachable';

  constructor(reason: 'usage' | 'unreachable', sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}
