import { isJsonObject, type Json, type JsonObject } from '../http/json.ts';
import { type Refusal, refusal, type Request } from '../http/request.ts';
import type { World } from '../world.ts';

/** The value of a query parameter; undefined where the request has none. */
export function queryValue(world: World, request: Request, name: string): string | undefined | Refusal {
  const values = request.query.get(name);
  if (values === undefined) return undefined;
  if (values.length === 1) return values[0];
  return world.rules.repeated(values, request) ?? refusal('invalidQuery', name);
}

/** The JSON object in the body. */
export function jsonBody(world: World, request: Request): { readonly ok: true; readonly body: JsonObject } | Refusal {
  const { rules, hooks } = world;
  if (!rules.mediaTypeAccepted(request.headers['content-type'], request)) return refusal('wrongMediaType');
  let body: Json;
  try {
    body = JSON.parse(hooks.jsonText(request.body, request));
  } catch {
    return refusal('malformedBody');
  }
  return isJsonObject(body) ? { ok: true, body } : refusal('malformedBody');
}
