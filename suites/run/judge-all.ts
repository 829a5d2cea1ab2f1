import { type Check, phases } from '../../engine/check.ts';
import { judge } from './judge.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Verdict } from '../../engine/verdict.ts';

/** Checks that run side by side. */
export const checksAtOnce = 8;

export type Told<Id extends string> = (check: Check<Id>, verdict: Verdict, durationMs: number) => void;

/** Judges checks phase by phase; those of the first side by side. Ends at once when the signal is aborted. */
export async function judgeAll<Id extends string>(
  checks: readonly Check<Id>[],
  session: Session,
  signal: AbortSignal | undefined,
  told: Told<Id>,
  atOnce = checksAtOnce,
): Promise<void> {
  const isAborted = () => signal?.aborted === true;
  const aborted = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));

  async function judgeOf(queue: Check<Id>[]): Promise<void> {
    for (let check = queue.shift(); check !== undefined && !isAborted(); check = queue.shift()) {
      const startedAt = performance.now();
      const verdict = await judge(check, session);
      if (!isAborted()) told(check, verdict, performance.now() - startedAt); // What is cut off says nothing.
    }
  }

  for (const phase of phases) {
    const queue = checks.filter((check) => check.phase === phase);
    const lanes = Array.from({ length: phase === 'together' ? atOnce : 1 }, () => judgeOf(queue));
    await Promise.race([Promise.all(lanes), aborted]);
    if (isAborted()) return;
  }
}
