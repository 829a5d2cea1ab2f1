import type { Exchange } from '../../../core/exchange.ts';
import type { Broken, Judgement } from '../../../promises/judgement.ts';
import type { RequirementId } from '../../../spec/catalogue.ts';
import { headerOf } from '../../engine/header-record.ts';
import type { Sent } from '../../engine/send-one.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { unpackAnswer } from '../../validate/validation-job.ts';

/** A requirement that answers broke, with the answers that prove it. */
export type Break = Pick<Broken, 'expected' | 'actual'> & {
  readonly requirement: RequirementId;
  readonly exchanges: readonly Exchange[];
};

/** What the sequences of a trial showed: how often each requirement was kept, and what was broken. */
export type Judged = { readonly kept: ReadonlyMap<RequirementId, number>; readonly breaks: readonly Break[] };

/** More breaks of a trial are not kept: one is enough. */
const mostBreaks = 20;

export function createJudgedTally() {
  const kept = new Map<RequirementId, number>();
  const breaks: Break[] = [];
  return {
    add(requirement: RequirementId, judgement: Judgement, exchanges: readonly Exchange[]): void {
      if (judgement === 'kept') kept.set(requirement, (kept.get(requirement) ?? 0) + 1);
      else if (judgement !== undefined && breaks.length < mostBreaks)
        breaks.push({
          requirement,
          expected: judgement.expected,
          actual: judgement.actual,
          exchanges: judgement.evidence ?? exchanges,
        });
    },
    result: (): Judged => ({ kept, breaks }),
  };
}

/** A request that is over; instants are of `performance.now()`. */
export type Ended = Sent & { readonly request: LoadRequest };

export async function exchangeOf({ request, arrived, sentAt, endedAt }: Ended): Promise<Exchange> {
  const { operation, caller } = request;
  const { outcome } = arrived;
  const headers = arrived.headers();
  return {
    operation,
    caller,
    request: arrived.sent?.() ?? request.request,
    sentAt: performance.timeOrigin + sentAt,
    receivedAt: performance.timeOrigin + endedAt,
    outcome:
      typeof outcome === 'string'
        ? { kind: 'failed', failure: outcome, message: outcome }
        : await unpackAnswer({
            status: outcome,
            contentType: headerOf(headers, 'content-type'),
            contentEncoding: headerOf(headers, 'content-encoding'),
            body: Buffer.concat(arrived.body),
          }),
  };
}
