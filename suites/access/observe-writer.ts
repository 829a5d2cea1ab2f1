import { type Answer, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';

/** Records the answer to a message of somebody else than the admin who uses the chat. */
export function observeWriter({ session }: Api, role: string, answer: Answer): void {
  session.observe('access.message-without-role', `${role}: ${summary(answer)}`, answer.exchange);
}
