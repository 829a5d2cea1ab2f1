import { answerOf, type Exchange } from '../../core/exchange.ts';

export type Pulse = {
  /** The latency of successful reads in milliseconds; undefined if there was none. */
  readonly latencyMs: { readonly median: number; readonly p95: number } | undefined;
  /**
   * How far the target's clock is ahead of ours in milliseconds, and the uncertainty, because the header Date has whole
   * seconds. Undefined if no answer had the header.
   */
  readonly clock: { readonly aheadMs: number; readonly uncertaintyMs: number } | undefined;
  readonly answers: number;
  /** How many of them were 429. */
  readonly limited: number;
  /** The headers that show a quota, with their last values. */
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

/** The second of each Date began before the answer arrived and ended after the request was sent. */
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
