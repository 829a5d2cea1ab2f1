import { type Ask, type Refusal, refusal } from '../http/ask.ts';
import type { World } from '../world.ts';

/** The value of a query parameter: undefined where it is not given. */
export function queryValue(world: World, ask: Ask, name: string): string | undefined | Refusal {
  const values = ask.query.get(name);
  if (values === undefined) return undefined;
  if (values.length === 1) return values[0];
  return world.rules.repeated(values, ask) ?? refusal('invalidQuery', name);
}
