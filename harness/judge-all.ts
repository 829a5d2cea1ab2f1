import { type Check, judge, phases } from './check.ts';
import type { Session } from './session.ts';

/** Checks that run side by side. */
export const checksAtOnce = 8;

export type Told = (check: Check<string>, verdict: Awaited<ReturnType<typeof judge>>, durationMs: number) => void;

/** Judges checks phase by phase; those of the first side by side. Ends at once when the signal is aborted. */
export async function judgeAll(
  checks: readonly Check<string>[],
  session: Session,
  signal: AbortSignal | undefined,
  told: Told,
): Promise<void> {
  const isAborted = () => signal?.aborted === true;
  const aborted = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));

  async function judgeOf(queue: Check<string>[]): Promise<void> {
    for (let check = queue.shift(); check !== undefined && !isAborted(); check = queue.shift()) {
      const startedAt = performance.now();
      const verdict = await judge(check, session);
      if (!isAborted()) told(check, verdict, performance.now() - startedAt); // What is cut off says nothing.
    }
  }

  for (const phase of phases) {
    const queue = checks.filter((check) => check.phase === phase);
    const lanes = Array.from({ length: phase === 'together' ? checksAtOnce : 1 }, () => judgeOf(queue));
    await Promise.race([Promise.all(lanes), aborted]);
    if (isAborted()) return;
  }
}
