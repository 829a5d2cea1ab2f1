import { type Check, type Phase, phases } from '../../engine/check.ts';
import { createSlots, type Slots } from '../../engine/session/slots.ts';

/** The number of checks that run side by side. */
export const checksAtOnce = 8;

type Rule = {
  /** What has to be over before a check of the phase starts. */
  readonly after: readonly Phase[];
  /** Whether its checks run one by one, instead of side by side. */
  readonly oneByOne: boolean;
};

const rules: Readonly<Record<Phase, Rule>> = {
  together: { after: [], oneByOne: false },
  messages: { after: [], oneByOne: false },
  deletions: { after: ['together'], oneByOne: true },
  attachments: { after: ['together'], oneByOne: true },
  changes: { after: ['deletions', 'attachments'], oneByOne: true },
  rateLimit: { after: ['messages', 'changes'], oneByOne: true },
  later: { after: ['rateLimit'], oneByOne: true },
  outage: { after: ['later'], oneByOne: true },
  last: { after: ['outage'], oneByOne: true },
};

/** The number of phases that come before a phase, one after the other. */
function depthOf(phase: Phase): number {
  return Math.max(0, ...rules[phase].after.map((earlier) => 1 + depthOf(earlier)));
}

const depths = new Map(phases.map((phase) => [phase, depthOf(phase)]));

/** Sorts checks by the number of phases before theirs. Checks with the same number keep their order. */
export function inOrder<Id extends string>(checks: readonly Check<Id>[]): readonly Check<Id>[] {
  return checks.toSorted((one, other) => (depths.get(one.phase) ?? 0) - (depths.get(other.phase) ?? 0));
}

/**
 * The same order, but with the checks of messages last. Few checks wait for them, so they fill slots that would be idle. Among them, the
 * checks of several operations come last, because they need the chats and messages of the others. The first check stays first,
 * because the others use what it shows.
 */
function messagesLast(checks: readonly Check<string>[]): readonly Check<string>[] {
  const [first, ...rest] = inOrder(checks);
  const isMessage = ({ phase }: Check<string>): boolean => phase === 'messages';
  const others = rest.filter((check) => !isMessage(check));
  const messages = rest.filter(isMessage).toSorted((one, other) => breadthOf(one) - breadthOf(other));
  return [...(first === undefined ? [] : [first]), ...others, ...messages];
}

/** 1 for a check of a requirement of several operations, otherwise 0. */
function breadthOf({ id, operation }: Check<string>): number {
  return id.split('/').includes(operation) ? 1 : 0;
}

/** Gives the slot back and waits until no other check that sends messages runs. Then none of them starts until this check ends. */
export type Alone = () => Promise<void>;

/** A check that has not started, or that waits until it may go on alone. */
type Waiting = {
  readonly check: Check<string>;
  readonly isAlone: boolean;
  /** Ends when the check ends or waits to be alone. */
  readonly start: () => Promise<void>;
};

/**
 * Runs each check once. At most `atOnce` checks run at a time; checks that wait for others do not count. The next check is always the
 * first that may start. Resolves when all checks are done. Once `isOver` holds, it resolves when the running checks are done. `run` must
 * never reject.
 */
export function inTurn(
  checks: readonly Check<string>[],
  atOnce: number,
  run: (check: Check<string>, alone: Alone) => Promise<void>,
  isOver: () => boolean = () => false,
  slots: Slots = createSlots(),
): Promise<void> {
  const waiting = (atOnce === 1 ? inOrder(checks) : messagesLast(checks)).map((check): Waiting => ({
    check,
    isAlone: false,
    start: () => begin(check),
  }));
  const running = new Set<Waiting>();
  const runs = (phase: Phase): boolean => [...running].some(({ check }) => check.phase === phase);
  /** How many checks of each phase wait or run. */
  const left = new Map(
    Map.groupBy(checks, ({ phase }) => phase)
      .entries()
      .map(([phase, { length }]) => [phase, length]),
  );
  const add = ({ phase }: Check<string>, more: number): void => {
    left.set(phase, (left.get(phase) ?? 0) + more);
  };
  const isDone = (phase: Phase): boolean => (left.get(phase) ?? 0) === 0 && rules[phase].after.every(isDone);
  const meets = (one: Waiting, other: Waiting): boolean =>
    (one.isAlone || other.isAlone) && sendsMessages(one.check) && sendsMessages(other.check);
  const mayStart = (next: Waiting): boolean =>
    rules[next.check.phase].after.every(isDone) &&
    !(rules[next.check.phase].oneByOne && runs(next.check.phase)) &&
    ![...running].some((other) => meets(next, other));
  const { promise: allDone, resolve } = Promise.withResolvers<void>();

  function begin(check: Check<string>): Promise<void> {
    let paused = Promise.withResolvers<void>();
    async function alone(): Promise<void> {
      if (atOnce === 1 || check.phase !== 'messages') return;
      const turn = Promise.withResolvers<void>();
      const start = (): Promise<void> => {
        paused = Promise.withResolvers();
        turn.resolve();
        return Promise.race([done, paused.promise]);
      };
      waiting.push({ check, isAlone: true, start });
      add(check, 1);
      paused.resolve();
      await turn.promise;
    }
    const done = run(check, alone);
    return Promise.race([done, paused.promise]);
  }

  function startMore(): void {
    while (!isOver() && slots.areFree()) {
      const at = waiting.findIndex(mayStart);
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) break;
      running.add(next);
      void slots.work(() =>
        next.start().finally(() => {
          running.delete(next);
          add(next.check, -1);
        }),
      );
    }
    if (running.size === 0) resolve();
  }

  slots.open(atOnce, startMore);
  startMore();
  return allDone;
}

/** The checks of sequences share one, which sends messages whichever of them plays it first. */
function sendsMessages({ phase, uses, mayUse }: Check<string>): boolean {
  return phase === 'changes' || [...uses, ...mayUse].includes('messages');
}
