import { type Answer, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';

/** Records the answer to a message by a principal other than the admin of the chat. */
export function observeWriter({ session }: Api, role: string, answer: Answer): void {
  session.observe('access.message-without-role', `${role}: ${summary(answer)}`, answer.exchange);
}
