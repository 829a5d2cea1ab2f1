import { type Ask, type Refusal, refusal } from '../http/ask.ts';
import { isJsonObject, type Json, type JsonObject } from '../http/json.ts';
import type { World } from '../world.ts';

/** The JSON object that a request carries. */
export function jsonBody(world: World, ask: Ask): { readonly ok: true; readonly body: JsonObject } | Refusal {
  if (!world.rules.mediaTypeAccepted(ask.headers['content-type'], ask)) return refusal('wrongMediaType');
  let body: Json;
  try {
    body = JSON.parse(world.rules.jsonRead(ask.body, ask));
  } catch {
    return refusal('malformedBody');
  }
  return isJsonObject(body) ? { ok: true, body } : refusal('malformedBody');
}
