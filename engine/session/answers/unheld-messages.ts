import { type Answer, isSuccess } from '../../../core/exchange.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

/** A new message without `wait` that was accepted, and how it was sent. */
export type Unheld = {
  readonly chatId: string;
  readonly text: unknown;
  readonly isKeyed: boolean;
  /** Whether another message was held meanwhile. */
  readonly isBeside: boolean;
  readonly answer: Answer;
};

/** Messages that a run remembers. */
const mostUnheld = 20_000;

const unheldIn = perRun((): Unheld[] => []);

/** Remembers a new message without `wait`, unless it was sent again with its key: then the answer may be that to a repetition. */
export function noteUnheld(session: Session, message: Unheld): void {
  const { answer, isKeyed } = message;
  if (!isSuccess(answer) || (isKeyed && answer.exchange.repeats === true)) return;
  const unheld = unheldIn(session);
  if (unheld.length < mostUnheld) unheld.push(message);
}

/** Those messages of this run, oldest first. */
export function unheldOf(session: Session): readonly Unheld[] {
  return unheldIn(session);
}
