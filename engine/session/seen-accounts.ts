import { type Answer, isSuccess } from '../../core/exchange.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** The most readings of one billing account that a run remembers. */
const mostReadings = 100;

const accountsIn = perRun(() => new Map<string, Answer[]>());

/** Remembers an answer that shows a billing account. */
export function noteAccount(session: Session, id: string, answer: Answer): void {
  if (!isSuccess(answer)) return;
  const accounts = accountsIn(session);
  const readings = accounts.get(id) ?? [];
  accounts.set(id, readings);
  if (readings.length < mostReadings) readings.push(answer);
}

/** The answers that showed each billing account, oldest first, by the ID of the account. */
export function accountsSeen(session: Session): ReadonlyMap<string, readonly Answer[]> {
  return accountsIn(session);
}
