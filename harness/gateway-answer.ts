import type { Answer } from './exchange.ts';
import { at } from './json.ts';

/** What a gateway answers whose deployment does not; those from 520 are a content network's own. */
export const gatewayStatuses: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524];

/** What a gateway answers that gets no answer, in words of its own: nobody knows what the deployment would have said. */
export function isGateways({ status, json }: Answer): boolean {
  return gatewayStatuses.includes(status) && at(json, 'error') === undefined;
}
