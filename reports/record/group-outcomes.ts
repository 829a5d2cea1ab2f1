/** What was observed of one point, and in which cases; a value without cases has none. */
export type Outcome<T> = { readonly outcome: string; readonly seen: readonly Seen<T>[] };
export type Seen<T> = { readonly name: string | undefined; readonly of: T };

/**
 * Values of one point that say `case: outcome`, by outcome: eight limits that are refused alike are one fact and not eight.
 * In the order in which the outcomes first appear.
 */
export function groupOutcomes<T>(all: readonly T[], valueOf: (one: T) => string): readonly Outcome<T>[] {
  const parted = all.map((of) => ({ ...part(valueOf(of)), of }));
  const byOutcome = Map.groupBy(parted, ({ name, outcome }) => `${name === undefined ? '' : ':'}${outcome}`);
  return [...byOutcome.values()].map((own) => ({
    outcome: own[0]?.outcome ?? '',
    seen: own.map(({ name, of }) => ({ name, of })),
  }));
}

/** An outcome as text: `case: outcome` again for one case, `outcome (case; case and 3 more)` for several. */
export function outcomeText({ outcome, seen }: Outcome<unknown>, mostNames: number): string {
  const names = seen.map(({ name }) => name).filter((name) => name !== undefined);
  if (names.length === 0) return outcome;
  if (names.length === 1) return `${names[0]}: ${outcome}`;
  const rest = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${outcome} (${names.slice(0, mostNames).join('; ')}${rest})`;
}

function part(value: string): { readonly name: string | undefined; readonly outcome: string } {
  const at = value.indexOf(': ');
  return at < 0 ? { name: undefined, outcome: value } : { name: value.slice(0, at), outcome: value.slice(at + 2) };
}
