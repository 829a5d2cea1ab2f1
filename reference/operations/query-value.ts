import { type Request, type Refusal, refusal } from '../http/request.ts';
import type { World } from '../world.ts';

/** The value of a query parameter: undefined where it is not given. */
export function queryValue(world: World, request: Request, name: string): string | undefined | Refusal {
  const values = request.query.get(name);
  if (values === undefined) return undefined;
  if (values.length === 1) return values[0];
  return world.rules.repeated(values, request) ?? refusal('invalidQuery', name);
}
