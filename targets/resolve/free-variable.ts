import type { Secret } from '../../core/target.ts';

/** Two secrets must not have the same variable in a report. */
export function freeVariable(name: string, earlier: readonly Secret[]): string {
  const taken = new Set(earlier.map(({ variable }) => variable));
  let variable = `$${name}`;
  for (let count = 2; taken.has(variable); count += 1) variable = `$${name}_${count}`;
  return variable;
}
