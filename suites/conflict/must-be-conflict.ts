import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';

export function isLimited({ status }: Answer): boolean {
  return status === 429;
}

/** Why a check ends that needs a 409, where a message to a busy chat was answered otherwise. */
export function notConflict(answer: Answer): string {
  const why = answer.status === 503 ? 'which may be an overload' : 'conflict.refused judges that';
  return `a second message was answered ${summary(answer)}: ${why}`;
}

/** A single 503 may be an overload; 503 for every message to the busy chat is this deployment's way to report a conflict. */
export function mustAllBeConflicts(answers: readonly Answer[], generating: Answer): void {
  for (const answer of answers) mustBeConflict(answer, generating);
  const always = answers.length > 1 && answers.every((answer) => answer.status === 503 && !isGateways(answer));
  must(!always, '409 while a response is generating', '503 each time', generating, ...answers);
}

/** A busy chat refuses a message with 409. An overload or a rate limit shows nothing about the chat. */
export function mustBeConflict(answer: Answer, generating: Answer): void {
  if (isSuccess(answer) || answer.status === 503 || isLimited(answer)) return;
  must(answer.status === 409, '409 while a response is generating', summary(answer), generating, answer);
}
