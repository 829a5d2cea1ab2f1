import { type Request, type Refusal, refusal } from '../http/request.ts';
import { isJsonObject, type Json, type JsonObject } from '../http/json.ts';
import type { World } from '../world.ts';

/** The JSON object that a request carries. */
export function jsonBody(world: World, request: Request): { readonly ok: true; readonly body: JsonObject } | Refusal {
  if (!world.rules.mediaTypeAccepted(request.headers['content-type'], request)) return refusal('wrongMediaType');
  let body: Json;
  try {
    body = JSON.parse(world.rules.jsonRead(request.body, request));
  } catch {
    return refusal('malformedBody');
  }
  return isJsonObject(body) ? { ok: true, body } : refusal('malformedBody');
}
