import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { waitQuietly } from '../../stage/rate-limit/quiet-wait.ts';
import type { RateLimit } from '../../stage/rate-limit/record-rate-limit.ts';
import { rateProbe, retryAfterOf } from '../../stage/rate-limit/rate-probe.ts';
import type { Operation } from '../../spec/requirement.ts';

/**
 * Of requests of several operations that were refused at the same time, those that announce a much earlier reset than another one, and
 * what came of waiting for it. They may have a quota of their own, so only the wait shows whether the announcement is wrong. A limit
 * may also postpone its reset with each refusal, so all of them must have been sent together.
 */
export async function waitsOfEarlyResets(
  api: Api,
  answers: readonly Answer[],
  again: ReadonlyMap<Operation, () => Promise<Answer>>,
): Promise<readonly RateLimit['waits'][]> {
  const resets = answers.flatMap((answer) => {
    const leftMs = answer.status === 429 ? retryAfterOf(answer) : undefined;
    return leftMs === undefined ? [] : [{ answer, resetAt: answer.exchange.receivedAt + leftMs }];
  });
  const latestAt = Math.max(...resets.map(({ resetAt }) => resetAt));
  const { toleranceMs } = api.session.target.limits;
  const early = resets.filter(({ resetAt }) => latestAt - resetAt > toleranceMs);
  return Promise.all(
    early.flatMap(({ answer }) => {
      const send = again.get(answer.exchange.operation);
      const held = { refused: [answer], accepted: undefined, late: false };
      return send === undefined ? [] : [waitQuietly(rateProbe(api, send), held)];
    }),
  );
}
