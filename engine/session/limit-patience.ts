import type { Operation } from '../../spec/requirement.ts';
import { createLongWaits, type RefusedRequest } from './long-waits.ts';

/** How long a rate-limited request may wait, in milliseconds. */
const maxWaitMs = 120_000;
/** A limit that asks for short waits gets this many of them, or this long, in milliseconds, if that is more. */
const enoughWaits = { count: 12, ms: 30_000 } as const;
/** `maxWaitMs` is divided by `reduction` each time that waiting did not help an operation, down to `minWaitMs`. */
const reduction = 4;
const minWaitMs = 2000;
/** After this many refused tries, or if others passed meanwhile, a request seems to be refused for itself. */
const manyTries = 6;

/** One request that waits. */
type Waiting = RefusedRequest & {
  /** How long it may wait for a limit that asks for so many milliseconds. */
  readonly forMs: (askedMs: number) => number;
  /** It is given up after so many tries. */
  readonly givenUp: (tries: number) => void;
};

/** How long requests wait for a limit: less where waiting did not help before. */
export function createLimitPatience(): { readonly begin: (operation: Operation, caller: string) => Waiting } {
  /** How often waiting did not help each operation, each caller, and each operation of each caller, since one was let through. */
  const futile = new Map<string, number>();
  /** How often requests of each caller and operation seemed to be refused for themselves. That others pass says nothing about them. */
  const singledOut = new Map<string, number>();
  /** How many requests of each caller and operation were let through. */
  const passed = new Map<string, number>();
  const longWaits = createLongWaits();

  return {
    begin(operation, caller) {
      const own = `${operation} ${caller}`;
      // A limit may count for any of these.
      const scopes = [operation, caller, own];
      const mostFutile = futile.size === 0 ? 0 : Math.max(...scopes.map((scope) => futile.get(scope) ?? 0));
      const times = singledOut.get(own) ?? 0;
      const share = reduction ** mostFutile * (times === 0 ? 1 : 2 * reduction ** (times - 1));
      const mostMs = Math.max(minWaitMs, maxWaitMs / share);
      const passedBefore = countOf(passed, own);
      const refused = longWaits.begin();
      return {
        believedMs: refused.believedMs,
        forMs: (askedMs) => Math.min(mostMs, Math.max(enoughWaits.ms, enoughWaits.count * askedMs)),
        passed() {
          refused.passed();
          passed.set(own, countOf(passed, own) + 1);
          for (const scope of scopes) futile.delete(scope);
        },
        givenUp(tries) {
          // Without a wait nothing shows that waiting does not help, such as when a clock was moved back.
          if (tries === 1) return;
          const isSingledOut = tries >= manyTries || countOf(passed, own) > passedBefore;
          if (isSingledOut) singledOut.set(own, times + 1);
          for (const scope of scopes) futile.set(scope, countOf(futile, scope) + 1);
        },
      };
    },
  };
}

function countOf(counts: ReadonlyMap<string, number>, name: string): number {
  return counts.get(name) ?? 0;
}
