import { expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import { pulseOf } from './pulse.ts';

const second = Date.UTC(2026, 0, 15, 12);

function exchange(
  sentAt: number,
  tookMs: number,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Exchange {
  return {
    operation: 'listModels',
    caller: 'alice',
    request: { method: 'GET', path: '/', headers: {}, timeoutMs: 1 },
    sentAt: second + sentAt,
    receivedAt: second + sentAt + tookMs,
    outcome: { kind: 'answered', response: { status, headers, body: new Uint8Array() } },
  };
}

test('latency is that of answers to reading requests that were let in', () => {
  const times = Array.from({ length: 20 }, (_, index) => exchange(0, index + 1));
  expect(pulseOf([...times, exchange(0, 900, {}, 500)]).latencyMs).toEqual({ median: 11, p95: 20 });
  expect(pulseOf([]).latencyMs).toBeUndefined();
});

const date = (ms: number) => ({ date: new Date(Math.floor((second + ms) / 1000) * 1000).toUTCString() });

test.each([0, 300, 90_000, -400, -7_200_000])('a clock that is %d ms ahead is seen to be', (aheadMs) => {
  const answers = Array.from({ length: 12 }, (_, index) => {
    const sentAt = index * 173;
    return exchange(sentAt, 20, date(sentAt + 10 + aheadMs));
  });
  const { clock = { aheadMs: Number.NaN, uncertaintyMs: 0 } } = pulseOf(answers);
  expect(Math.abs(clock.aheadMs - aheadMs)).toBeLessThanOrEqual(clock.uncertaintyMs);
  expect(clock.uncertaintyMs).toBeLessThan(200);
});

test.each([{}, { date: 'yesterday' }, { date: '' }])('%j gives no time', (headers) => {
  expect(pulseOf([exchange(0, 1, headers)]).clock).toBeUndefined();
});

test('quotas are seen in headers and in 429', () => {
  const headers = { 'x-ratelimit-limit': '100', 'ratelimit-remaining': '7', 'retry-after': '1', 'x-rated': '1' };
  expect(pulseOf([exchange(0, 1, headers), exchange(0, 1, {}, 429)])).toMatchObject({
    answers: 2,
    limited: 1,
    quotaHeaders: { 'x-ratelimit-limit': '100', 'ratelimit-remaining': '7' },
  });
});
