import type { Outcomes } from './mutant-worker.ts';
import type { TestFile } from './tests-that-reach.ts';

/**
 * The shares of the time of all tests, and of all expectations, that a mutant which nothing notices may cost. Shares mean the same on a
 * busy machine.
 */
const shares = { tests: 1 / 5, far: 1 / 8 } as const;

/** How many expectations of a kind are tried first. */
const tries = { kill: 10, silent: 4, seen: 10, others: 60 } as const;

/** The expectations that are tried before and after the tests, from those that reach a mutant. Those that reach the fewest come first. */
export function triesOf(
  reaching: readonly string[],
  reachOf: (name: string) => number,
  outcomes: Outcomes,
): { readonly near: readonly string[]; readonly far: readonly string[] } {
  // An expectation that reaches few mutants depends most on this one.
  const names = reaching.toSorted((one, other) => reachOf(one) - reachOf(other));
  const kills = names.filter((name) => name.startsWith('fault '));
  const silents = names.filter((name) => name.startsWith('check ')).slice(0, tries.silent);
  const seen = names.filter((name) => name.startsWith('seen ')).slice(0, tries.seen);
  const whole = names.filter((name) => /^(legal|thin) /.test(name));
  // One fault for each set of checks that find one.
  const others = evenly([...new Map(kills.map((name) => [outcomes[name]?.text, name])).values()], tries.others);
  const near = [...kills.slice(0, tries.kill), ...silents];
  // What differs most from one deployment to the next comes by turns.
  const far = [...inTurns([others, whole, seen])].filter((name) => !near.includes(name));
  const tookMs = (name: string) => outcomes[name]?.tookMs ?? 0;
  return { near, far: within(far, tookMs, shares.far * sumOf(Object.keys(outcomes), tookMs)) };
}

/** The tests that a mutant is tried on, from those that reach it: those that reach the fewest mutants. */
export function testsFor(reaching: readonly TestFile[], all: readonly TestFile[]): readonly TestFile[] {
  const closest = reaching.toSorted((one, other) => one.reaches.size - other.reaches.size);
  const tookMs = (test: TestFile) => test.tookMs;
  return within(closest, tookMs, shares.tests * sumOf(all, tookMs));
}

function sumOf<Item>(items: readonly Item[], costOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + costOf(item), 0);
}

/** The first item, and each further one that fits: together they cost no more than `most`. */
function within<Item>(items: readonly Item[], costOf: (item: Item) => number, most: number): readonly Item[] {
  let spent = 0;
  return items.filter((item, index) => {
    if (index > 0 && spent + costOf(item) > most) return false;
    spent += costOf(item);
    return true;
  });
}

/** The first item of each list, then the second of each. */
function* inTurns<Item>(lists: readonly (readonly Item[])[]): Generator<Item> {
  const longest = Math.max(...lists.map(({ length }) => length));
  for (let place = 0; place < longest; place += 1) {
    for (const list of lists) yield* list.slice(place, place + 1);
  }
}

/** At most `most` items, at even distances. */
function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
