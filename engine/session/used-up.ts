import { type Answer, answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Operation } from '../../spec/requirement.ts';
import { type Changes, type ChangeLedger, createChangeLedger } from './change-ledger.ts';
import { noteFirst } from './repeated-keys.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** What a run changed. */
export type UsedUp = Changes & {
  /** Part of every idempotency key of the run. */
  readonly runId: string;
};

type Uses = {
  readonly ledger: ChangeLedger;
  /** When each operation last changed something or may have, in milliseconds of the clock. */
  readonly lastAt: Map<Operation, number>;
};

const usesOf = perRun((): Uses => ({ ledger: createChangeLedger(), lastAt: new Map() }));

/** Remembers which idempotency key and which fixtures of the target file an exchange used up. */
export function noteUse(session: Session, exchange: Exchange): void {
  const { request, operation } = exchange;
  if (request.method === 'GET') return;
  noteFirst(session, exchange);
  const answer = answerOf(exchange);
  if (answer !== undefined && !isSuccess(answer) && answer.status < 500) return;
  const certain = answer !== undefined && isSuccess(answer);
  const { ledger, lastAt } = usesOf(session);
  lastAt.set(operation, exchange.receivedAt);
  ledger.enter({ operation, request, certain, message: () => messageIn(answer) }, session.target);
}

/** How long ago the operation last changed something or may have, in milliseconds; infinite if it never did. */
export function sinceChange(session: Session, operation: Operation): number {
  return session.clock.now() - (usesOf(session).lastAt.get(operation) ?? Number.NEGATIVE_INFINITY);
}

/** What the run changed so far, according to its answers. */
export function usedUp(session: Session): UsedUp {
  return { runId: session.runId, ...usesOf(session).ledger.changes() };
}

/** The ID of the user message; a repeated request shows the same one. */
function messageIn(answer: Answer | undefined): string {
  return stringAt(answer?.json, 'data', 'userMessage', 'id') ?? '';
}
