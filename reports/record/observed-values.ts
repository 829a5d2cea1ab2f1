import type { ObservationRecord } from './record.ts';

/** A value that was observed at one point, and the cases it was observed in; a value without cases has no names. */
export type ObservedValue<Item> = {
  readonly value: string;
  readonly cases: readonly { readonly name: string | undefined; readonly item: Item }[];
};

/** The observations of a run by point, each with its values. */
export function observedPoints(observations: readonly ObservationRecord[]) {
  const byPoint = Map.groupBy(observations, ({ point }) => point);
  return [...byPoint].map(([point, own]) => ({ point, values: groupValues(own, ({ value }) => value) }));
}

/**
 * Groups texts of the form `case: value` by value, in the order in which the values first appear: eight limits that are
 * refused alike are one fact, not eight.
 */
export function groupValues<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): readonly ObservedValue<Item>[] {
  const split = items.map((item) => ({ ...splitCase(textOf(item)), item }));
  const byValue = Map.groupBy(split, ({ name, value }) => `${name === undefined ? '' : ':'}${value}`);
  return [...byValue.values()].map((cases) => ({ value: cases[0]?.value ?? '', cases }));
}

/** A value as text: `case: value` again for one case, `value (case; case and 3 more)` for several. */
export function valueText({ value, cases }: ObservedValue<unknown>, maxNames: number): string {
  const names = cases.map(({ name }) => name).filter((name) => name !== undefined);
  if (names.length === 0) return value;
  if (names.length === 1) return `${names[0]}: ${value}`;
  const rest = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${value} (${names.slice(0, maxNames).join('; ')}${rest})`;
}

function splitCase(text: string): { readonly name: string | undefined; readonly value: string } {
  const at = text.indexOf(': ');
  return at < 0 ? { name: undefined, value: text } : { name: text.slice(0, at), value: text.slice(at + 2) };
}
