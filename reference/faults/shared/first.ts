/** The first of what there is, for the faults that take whatever comes first. */
export function first<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value;
  return undefined;
}
