import type { Api, Outgoing } from '../../engine/api.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import { rememberHeld } from '../../engine/session/waits/choose-wait.ts';
import { noteEnd } from '../../engine/session/waits/missed-ends.ts';

/** Remembers for how long the answer to a message with a wait, or to its repetition, was held. */
export function rememberWait(
  { session }: Api,
  { message, wait, key }: Partial<Outgoing>,
  answer: Answer,
  shownBy: 'message' | 'repetition',
): void {
  if (typeof wait !== 'number' || typeof message !== 'string' || !isSuccess(answer)) return;
  // A repetition that was sent meanwhile may have arrived first: then this one is the repetition.
  const isFirst = shownBy === 'message' && !repeatedIn(session).has(key ?? '');
  const sentAs = isFirst ? 'message' : 'repetition';
  rememberHeld(session, message, wait, answer, sentAs);
  const isQuick = message === session.target.assistant.quickPrompt;
  if (isQuick && typeof key === 'string') noteEnd(session, { key, wait, sentAs }, answer);
  if (isFirst) heldIn(session).push(answer);
}

/** The keys of the messages that were repeated, from when the repetition is sent. */
const repeatedIn = perRun(() => new Set<string>());

/** Notes that the message with this key is repeated. */
export function noteRepeated(session: Session, key: string): void {
  repeatedIn(session).add(key);
}

/** Successes of messages that had a wait and were no repetitions, oldest first. */
export const heldIn = perRun((): Answer[] => []);
