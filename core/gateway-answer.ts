import { type Answer, answerOf, type Exchange } from './exchange.ts';
import { at } from './json.ts';

/** What a gateway answers whose deployment does not; those from 520 are a content network's own. */
export const gatewayStatuses: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524];

/** A request with wait that was not answered by then was held, in milliseconds. */
const heldMs = 900;

/** What a gateway answers that gets no answer, in words of its own: nobody knows what the deployment would have said. */
export function isGateways({ status, json }: Answer): boolean {
  return gatewayStatuses.includes(status) && at(json, 'error') === undefined;
}

/** That is how a proxy ends what is held too long for it, and would again. */
export function wasHeldTooLong(exchange: Exchange): boolean {
  const isHeld = /[?&]wait=/.test(exchange.request.path) && exchange.receivedAt - exchange.sentAt >= heldMs;
  return isHeld && answerOf(exchange)?.status === 504;
}
