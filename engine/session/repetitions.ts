import { type Answer, isSuccess } from '../../core/exchange.ts';
import { judgeRepetition } from '../../promises/idempotency.ts';
import type { Judgement } from '../../promises/judgement.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** Messages whose first answer a run remembers. */
const mostFirst = 20_000;

type Repetitions = {
  readonly first: Map<string, Answer>;
  count: number;
  judgement: Judgement;
};

const repetitionsIn = perRun((): Repetitions => ({ first: new Map(), count: 0, judgement: undefined }));

/**
 * Judges an accepted request by the first one with the same `identity`: its caller, chat, key and text. Requests that overlap
 * are left out, because it is unknown which of them came first.
 */
export function noteRepetition(session: Session, identity: readonly unknown[], answer: Answer): void {
  if (!isSuccess(answer)) return;
  const repetitions = repetitionsIn(session);
  const place = JSON.stringify(identity);
  const first = repetitions.first.get(place);
  if (first === undefined) {
    if (repetitions.first.size < mostFirst) repetitions.first.set(place, answer);
    return;
  }
  if (answer.exchange.sentAt < first.exchange.receivedAt) return;
  const judgement = judgeRepetition({ first, again: answer });
  repetitions.count += 1;
  if (typeof judgement === 'object') repetitions.judgement ??= judgement;
}

/** The repeated requests of this run so far, and the judgement of the first one that showed other messages. */
export function repetitionsOf(session: Session): Pick<Repetitions, 'count' | 'judgement'> {
  return repetitionsIn(session);
}
