import type { Answer } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import type { RouteMatch } from '../core/route.ts';

/** The statuses with which a server refuses a request because of its size. */
const sizeStatuses: readonly number[] = [413, 414, 431];

/** What IDs and numbers usually consist of. A proxy, router or framework may refuse anything else in a path or query. */
const usual = /^[\p{L}\p{N}_.~:=+-]{0,500}$/u;

/**
 * Whether something in front of the API may have refused the request, with a page of its own. The specification describes
 * what the API answers, and this request may never have reached it.
 */
export function isRefusedOnTheWay({ ownerId, id, query }: RouteMatch, { status, json }: Answer): boolean {
  if (status < 400 || status >= 500 || at(json, 'error') !== undefined) return false;
  const asked = [ownerId, id, ...[...query.values()].flat()];
  return sizeStatuses.includes(status) || asked.some((text) => !usual.test(text) || text.includes('..'));
}
