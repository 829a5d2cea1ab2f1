import { type Answer, answerOf, type Exchange } from './exchange.ts';
import { at } from './json.ts';

/** The statuses of a gateway without an answer from the deployment. Those from 520 belong to a content delivery network. */
export const gatewayStatuses: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530];

/** A request with wait that takes at least this many milliseconds was held. */
const heldMs = 900;

/** Whether a gateway answered because it got no answer. What the deployment would have answered is unknown. */
export function isGateways({ status, json }: Answer): boolean {
  return gatewayStatuses.includes(status) && at(json, 'error') === undefined;
}

/** A time-out of a gateway or of the deployment itself. */
const timeoutStatuses: readonly (number | undefined)[] = [500, 504, 524];

/** Whether a held request ended with an error because it took too long. It would do so again. */
export function wasHeldTooLong(exchange: Exchange): boolean {
  return endedWhileHeld(exchange) && timeoutStatuses.includes(answerOf(exchange)?.status);
}

/** Whether a request ended with an error after it was held: a time limit may have ended it, or an outage. */
export function endedWhileHeld(exchange: Exchange): boolean {
  const isHeld = /[?&]wait=/.test(exchange.request.path) && exchange.receivedAt - exchange.sentAt >= heldMs;
  return isHeld && (answerOf(exchange)?.status ?? 0) >= 500;
}
