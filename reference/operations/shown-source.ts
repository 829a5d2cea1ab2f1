import type { Request } from '../http/request.ts';
import type { Item } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';
import type { World } from '../world.ts';

/** The record of a data source, marked where it is deleted. */
export function shownSource(world: World, request: Request, item: Item, deletedAt: number | undefined): JsonObject {
  if (deletedAt === undefined) return item.record;
  return world.rules.deletedMark(item.record, world.rules.timestamp(deletedAt), request);
}
