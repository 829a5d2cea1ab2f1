import type { Answer } from '../core/exchange.ts';
import { isGateways } from '../core/gateway-answer.ts';
import { at } from '../core/json.ts';
import type { RouteMatch } from '../core/route.ts';

/** The statuses with which a server refuses a request because of its size, or because it did not arrive whole. */
const unreadStatuses: readonly number[] = [408, 413, 414, 431];

/** A proxy of the client or a network asks for a password with these. */
const foreignStatuses: readonly number[] = [407, 511];

/** What IDs and numbers usually consist of. A proxy, router or framework may refuse anything else in a path or query. */
const usual = /^[\p{L}\p{N}_.~:=+-]{0,500}$/u;

/**
 * Whether something in front of the API may have refused the request, with a page of its own. The specification describes
 * what the API answers, and this request may never have reached it.
 */
export function isRefusedOnTheWay({ ownerId, id, query }: RouteMatch, answer: Answer): boolean {
  if (isGateways(answer)) return true;
  const { status, json } = answer;
  if (at(json, 'error') !== undefined) return false;
  if (foreignStatuses.includes(status)) return true;
  if (status < 400 || status >= 500) return false;
  const asked = [ownerId, id, ...[...query.values()].flat()];
  return unreadStatuses.includes(status) || asked.some((text) => !usual.test(text) || text.includes('..'));
}
