import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { waitQuietly } from '../../stage/rate-limit/quiet-wait.ts';
import type { RateLimit } from '../../stage/rate-limit/record-rate-limit.ts';
import { announcedEnd } from '../../core/implied-resets.ts';
import { rateProbe } from '../../stage/rate-limit/rate-probe.ts';
import type { Operation } from '../../spec/requirement.ts';

/**
 * Of refused requests of several operations, those that announce a much earlier reset than the `first` refusal, which came before they
 * were sent, and what came of waiting for it. They may have a quota of their own, so only the wait shows whether the announcement is
 * wrong. A limit may also postpone its reset with each refusal, so a later reset than that of the `first` shows nothing.
 */
export async function waitsOfEarlyResets(
  api: Api,
  first: Answer,
  answers: readonly Answer[],
  again: ReadonlyMap<Operation, () => Promise<Answer>>,
): Promise<readonly RateLimit['waits'][]> {
  const firstAt = announcedEnd(first);
  const { toleranceMs } = api.session.target.limits;
  const early = answers.filter((answer) => {
    const resetAt = answer.status === 429 ? announcedEnd(answer) : undefined;
    return firstAt !== undefined && resetAt !== undefined && firstAt - resetAt > toleranceMs;
  });
  return Promise.all(
    early.flatMap((answer) => {
      const send = again.get(answer.exchange.operation);
      const held = { refused: [answer], accepted: undefined };
      return send === undefined ? [] : [waitQuietly(rateProbe(api, send), held)];
    }),
  );
}
