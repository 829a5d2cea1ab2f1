import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';

/** Neither a success nor an internal error for an ID or filter that fits nothing. */
export function mustFindNothing(answer: Answer, what: string): void {
  const holds = !isSuccess(answer) && answer.status < 500;
  must(holds, `neither 2xx nor 5xx for ${what}`, summary(answer), answer);
}
