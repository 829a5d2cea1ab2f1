import type { Answer } from '../../../core/exchange.ts';
import { percentileRank } from '../../../core/numbers.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';
import type { SentAs } from './response-times.ts';

/** How exact a wait that lasts in full is, and how soon after it a repetition shows a finished response, in milliseconds. */
const fullMs = 50;
const soonMs = 300;

/** A wait that lasted in full: its answer, and a repetition if only that shows that the response had finished. */
export type FullWait = { readonly waitMs: number; readonly answers: readonly Answer[] };

export type MissedEnds = {
  readonly missed: readonly FullWait[];
  /** Half of the responses that ended a wait took less. */
  readonly usualMs: number;
  /** A wait that is long enough for each of them, in seconds. */
  readonly enough: number;
  /** All requests that were held for finished responses. */
  readonly held: number;
  /** Whether other long waits ended without the response, and nothing showed at once whether it was finished. */
  readonly mayHaveMissed: boolean;
};

type HeldRequest = { readonly key: string; readonly wait: number; readonly sentAs: SentAs };

type Ends = {
  /** After how many milliseconds responses ended the waits of their messages. */
  readonly early: number[];
  /** Waits that lasted in full although the response was finished then. */
  readonly full: FullWait[];
  /** By key: an answer 202 after a whole wait, until a repetition shows whether the response was finished then. */
  readonly unfinished: Map<string, { readonly waitMs: number; readonly answer: Answer }>;
};

/** What the waits for responses to the quick prompt showed of their ends. */
const endsIn = perRun((): Ends => ({ early: [], full: [], unfinished: new Map() }));

/** Notes a success of a message or repetition with the quick prompt, and its wait in seconds. */
export function noteEnd(session: Session, { key, wait, sentAs }: HeldRequest, answer: Answer): void {
  const { early, full, unfinished } = endsIn(session);
  const { elapsedMs, exchange } = answer;
  const waitMs = wait * 1000;
  const before = unfinished.get(key);
  unfinished.delete(key);
  const isFull = elapsedMs >= waitMs - fullMs;
  if (answer.status !== 200) {
    if (isFull) unfinished.set(key, { waitMs, answer });
  } else if (before !== undefined && exchange.receivedAt - before.answer.exchange.receivedAt <= soonMs) {
    full.push({ waitMs: before.waitMs, answers: [before.answer, answer] });
  } else if (isFull && elapsedMs <= waitMs + soonMs) {
    full.push({ waitMs, answers: [answer] });
  } else if (!isFull && sentAs === 'message') early.push(elapsedMs);
}

/** A wait shows something if it is so many times as long as half of the responses take. */
const longWait = 2;

/** The shortest wait that shows whether an end was missed, in seconds; and by how much a wait is longer than the longest response. */
const leastSeconds = 3;
const ample = 1.5;

/** The waits that a finished response did not end, although most take much less time; undefined if none ended early. */
export function missedEnds(session: Session): MissedEnds | undefined {
  const { early, full, unfinished } = endsIn(session);
  const usualMs = early.toSorted((one, other) => one - other)[percentileRank(0.5, early.length) - 1];
  if (usualMs === undefined) return undefined;
  const missed = full.filter(({ waitMs }) => waitMs >= longWait * usualMs);
  const enough = Math.max(leastSeconds, Math.ceil((ample * Math.max(...early)) / 1000));
  const mayHaveMissed = unfinished.values().some(({ waitMs }) => waitMs >= longWait * usualMs);
  return { missed, usualMs, enough, held: early.length + full.length, mayHaveMissed };
}
