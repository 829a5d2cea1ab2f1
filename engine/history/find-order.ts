/** Something that took effect at one instant, between its request and its answer. Times in milliseconds. */
export type Step = {
  /** It took effect neither before nor after these. Infinity where no answer says that it is over. */
  readonly from: number;
  readonly until: number;
  /** The states that it may lead to: none if it cannot have happened in this one, several if that is unknown. */
  readonly next: (state: number) => readonly number[];
};

export type Order = 'found' | 'none' | 'undecided';

/** States that are looked at before giving up. */
const maxVisits = 10_000;

/**
 * Whether the steps can have happened one after another, each at an instant of its own time, beginning with that state:
 * what Wing and Gong's search decides for a recorded history. States are numbers, so that two ways to one are one.
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
    // What changes nothing takes nothing from the others: where it fits, it is best out of the way.
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

function isStill(next: readonly number[], state: number): boolean {
  return next.length === 1 && next[0] === state;
}
