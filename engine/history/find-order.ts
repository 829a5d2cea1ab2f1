import { firstFailure } from './lanes.ts';

/** Something that took effect at one instant, between its request and its answer. Times in milliseconds. */
export type Step = {
  /** It took effect between these times. `until` is Infinity if no answer shows that it ended. */
  readonly from: number;
  readonly until: number;
  /** The states that it may lead to: none if it cannot have happened in this one, several if that is unknown. */
  readonly next: (state: number) => readonly number[];
};

export type Order = 'found' | 'none' | 'undecided';

/** The number of visited states before the result is undecided. */
const maxVisits = 10_000;

/**
 * Whether the steps can have happened one after another from the initial state, each at an instant within its bounds. This
 * is Wing and Gong's search for a recorded history. States are numbers, so that equal states are visited once.
 */
export function findOrder(steps: readonly Step[], initial: number): Order {
  const seen = new Set<string>();
  let visits = 0;

  function search(left: readonly Step[], state: number, name: string): boolean {
    if (left.length === 0) return true;
    const place = `${name}/${state}`;
    if (seen.has(place)) return false;
    seen.add(place);
    visits += 1;
    if (visits > maxVisits) return false;
    const firstOver = Math.min(...left.map(({ until }) => until));
    const possible = left.filter(({ from }) => from <= firstOver);
    const still = possible.find((step) => isStill(step.next(state), state));
    // A step that changes no state cannot hinder the others, so it is placed as soon as it fits.
    const tried = still === undefined ? possible : [still];
    return tried.some((step) => {
      const rest = left.filter((other) => other !== step);
      const restName = nameOf(rest);
      return step.next(state).some((next) => search(rest, next, restName));
    });
  }

  const numbers = new Map(steps.map((step, index) => [step, index]));
  const nameOf = (left: readonly Step[]): string => left.map((step) => numbers.get(step)).join(' ');
  const found = search(steps, initial, nameOf(steps));
  if (found) return 'found';
  return visits > maxVisits ? 'undecided' : 'none';
}

/** The time of the first answer after which no order of the steps is possible. A step that is not answered yet may not have happened. */
export function noOrderFrom(steps: readonly Step[], initial: number): number {
  return firstFailure(
    steps.map(({ until }) => until),
    (time) => findOrder(stepsUntil(steps, time), initial) === 'none',
  );
}

function stepsUntil(steps: readonly Step[], time: number): readonly Step[] {
  return steps
    .filter(({ from }) => from <= time)
    .map((step) =>
      step.until <= time
        ? step
        : { from: step.from, until: Number.POSITIVE_INFINITY, next: (state) => [state, ...step.next(state)] },
    );
}

function isStill(next: readonly number[], state: number): boolean {
  return next.length === 1 && next[0] === state;
}
