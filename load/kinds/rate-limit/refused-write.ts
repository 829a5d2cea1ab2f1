import type { Principal, Target } from '../../../core/target.ts';
import type { Fact } from '../../../reports/load/load-record.ts';
import type { LimitedTarget } from './limited-target.ts';

/** Something that is written while every request is refused, and looked for afterwards. */
export type RefusedWrite = {
  /** Looks how things are; false where there is nothing to try it on. */
  readonly prepare: () => Promise<boolean>;
  /** Writes, and says whether that was refused. */
  readonly attempt: () => Promise<boolean>;
  /** Looks whether it had an effect. */
  readonly verify: () => Promise<Fact>;
};

/** What a refused write is tried with. */
export type WriteOptions = {
  readonly target: Target;
  readonly principal: Principal;
  readonly limited: LimitedTarget;
  /** In every key that is written. */
  readonly runId: string;
  readonly timeoutMs: number;
};

/** The name of every fact about them. */
export const refusedWritesName = 'refused writes';

export function unclear(value: string): Fact {
  return { name: refusedWritesName, value, verdict: 'unclear' };
}
