import { answerOf, type Exchange } from '../../core/exchange.ts';

/** What the answers to reading requests say of the way to a deployment, besides what they are about. */
export type Pulse = {
  /** Of answered reading requests, in milliseconds; undefined where there was none. */
  readonly latencyMs: { readonly median: number; readonly p95: number } | undefined;
  /**
   * How far the target's clock is ahead of ours, in milliseconds, and how far off that may be: the header Date has whole
   * seconds. Undefined where no answer had one.
   */
  readonly clock: { readonly aheadMs: number; readonly uncertaintyMs: number } | undefined;
  readonly answers: number;
  /** How many of them were 429. */
  readonly limited: number;
  /** Headers that tell of a quota, with their last values. */
  readonly quotaHeaders: Readonly<Record<string, string>>;
};

const quotaHeader = /^(x-)?rate-?limit\b/;

export function pulseOf(exchanges: readonly Exchange[]): Pulse {
  const answers = exchanges.map(answerOf).filter((answer) => answer !== undefined);
  const times = answers
    .filter(({ exchange, status }) => exchange.request.method === 'GET' && status < 400)
    .map(({ elapsedMs }) => elapsedMs)
    .toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return {
    latencyMs: times.length === 0 ? undefined : { median: at(0.5), p95: at(0.95) },
    clock: clockOf(exchanges),
    answers: answers.length,
    limited: answers.filter(({ status }) => status === 429).length,
    quotaHeaders: Object.fromEntries(
      answers.flatMap(({ headers }) => Object.entries(headers).filter(([name]) => quotaHeader.test(name))),
    ),
  };
}

/** Each Date is that of a second which began before the answer came and ended after the request was sent. */
function clockOf(exchanges: readonly Exchange[]): Pulse['clock'] {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (const { outcome, sentAt, receivedAt } of exchanges) {
    const said = outcome.kind === 'answered' ? Date.parse(outcome.response.headers['date'] ?? '') : Number.NaN;
    if (Number.isNaN(said)) continue;
    least = Math.max(least, said - receivedAt);
    most = Math.min(most, said + 1000 - sentAt);
  }
  if (!Number.isFinite(least) || !Number.isFinite(most)) return undefined;
  return { aheadMs: (least + most) / 2, uncertaintyMs: Math.abs(most - least) / 2 };
}
