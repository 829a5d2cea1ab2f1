import { describe, expect, test } from 'vitest';
import { check } from '../../engine/check.ts';
import type { Exchange } from '../../core/exchange.ts';
import { createRedactor } from '../../core/redaction/redact.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { findingParts } from '../text/check-text.ts';
import { checkRecord } from './check-record.ts';

const key = 'awc_test_CANARY0123456789abcdef';
const options = {
  target: { baseUrl: 'https://example.test/base/' },
  redactor: createRedactor([{ key, variable: '$AWC_KEY_ALICE' }]),
  strict: false,
};
const must = check('paging.limit', { on: 'listModels' }, async () => {});
const should = check('paging.limit-refused', { on: 'listModels' }, async () => {});

function exchangeOf(body: string | Uint8Array, sent?: string): Exchange {
  return {
    operation: 'listModels',
    caller: 'alice',
    request: {
      method: 'POST',
      path: '/x?limit=2',
      headers: { authorization: `Bearer ${key}` },
      timeoutMs: 1,
      ...(sent === undefined ? {} : { body: sent }),
    },
    sentAt: Date.UTC(2026, 0, 15),
    receivedAt: Date.UTC(2026, 0, 15) + 12.3456,
    outcome: { kind: 'answered', response: { status: 200, headers: { 'x-echo': key }, body: Buffer.from(body) } },
  };
}

function violated(evidence: readonly Exchange[], text = 'x'): Verdict {
  return {
    kind: 'violated',
    expected: text,
    actual: text,
    evidence,
    counterexample: { seed: 1, path: '0', values: text },
  };
}

function bodyOf(body: string | Uint8Array) {
  const record = checkRecord(must, violated([exchangeOf(body)]), 1, options);
  const outcome = record.exchanges[0]?.outcome;
  return outcome?.kind === 'answered' ? outcome.body : undefined;
}

test('a violated must failed, a violated should warned, unless the run is strict', () => {
  expect(checkRecord(must, violated([]), 1, options).verdict).toBe('failed');
  expect(checkRecord(should, violated([]), 1, options).verdict).toBe('warned');
  expect(checkRecord(should, violated([]), 1, { ...options, strict: true }).verdict).toBe('failed');
});

test('an exchange says who sent what, when, and what came, without the key', () => {
  const record = checkRecord(must, violated([exchangeOf(`{"echo":"${key}"}`, key)], `got ${key}`), 1, options);
  expect(record).toMatchObject({ expected: 'got $AWC_KEY_ALICE', counterexample: { values: 'got $AWC_KEY_ALICE' } });
  expect(record.exchanges).toEqual([
    {
      operation: 'listModels',
      caller: 'alice',
      request: {
        method: 'POST',
        url: 'https://example.test/base/x?limit=2',
        headers: { authorization: 'Bearer $AWC_KEY_ALICE' },
        body: { text: '$AWC_KEY_ALICE', bytes: 31, cut: false, escaped: false },
      },
      sentAt: '2026-01-15T00:00:00.000Z',
      durationMs: 12.346,
      outcome: {
        kind: 'answered',
        status: 200,
        headers: { 'x-echo': '$AWC_KEY_ALICE' },
        body: { text: '{"echo":"$AWC_KEY_ALICE"}', bytes: 42, cut: false, escaped: false },
      },
    },
  ]);
  expect(record.curl).toContain('-H "Authorization: Bearer $AWC_KEY_ALICE"');
  expect(JSON.stringify(record)).not.toContain('CANARY');
});

test('a body is cut, says so, and shows no part of a key that lies across the cut', () => {
  for (let before = 4060; before < 4100; before += 1) {
    const body = bodyOf(`${'x'.repeat(before)}${key}${'y'.repeat(50_000)}`);
    expect(body).toMatchObject({ bytes: before + key.length + 50_000, cut: true, escaped: false });
    expect(body?.text.length).toBe(4096);
    expect(body?.text).not.toContain('CAN');
  }
});

test('a character that the cut parts is not taken for broken UTF-8', () => {
  for (const before of [0, 1, 2, 3]) {
    expect(bodyOf('x'.repeat(before) + '🦉'.repeat(5000))).toMatchObject({ escaped: false, cut: true });
  }
});

test('bytes that are no UTF-8 are written as escapes', () => {
  const broken = bodyOf(Buffer.concat([Buffer.from(`{"a\\b": ${key} "`), Buffer.from([0xff, 0x00, 0xc3])]));
  expect(broken).toEqual({ text: '{"a\\\\b": $AWC_KEY_ALICE "\\xff\\x00\\xc3', bytes: 44, cut: false, escaped: true });
});

test('of many exchanges the first and the last three stay', () => {
  const many = Array.from({ length: 9 }, (_, index) => exchangeOf(String(index)));
  const texts = checkRecord(must, violated(many), 1, options).exchanges.map(({ outcome }) =>
    outcome.kind === 'answered' ? outcome.body.text : '',
  );
  expect(texts).toEqual(['0', '1', '2', '6', '7', '8']);
});

test('a stack is one bounded line', () => {
  const verdict: Verdict = {
    kind: 'errored',
    fault: 'suite',
    evidence: [],
    reason: `Error: x\n    at y\n${'z'.repeat(9000)}`,
  };
  const { reason } = checkRecord(must, verdict, 1, options);
  expect(reason).toMatch(/^Error: x at y zzz/);
  expect(reason?.length).toBeLessThan(2100);
});

test('of a long list the evidence keeps the pagination and the items that the verdict names', () => {
  const data = Array.from({ length: 100 }, (_, index) => ({ id: `item-${index}`, text: 'x'.repeat(100), key }));
  const body = JSON.stringify({ data, pagination: { nextCursor: 'item-98', hasMore: true } });
  const record = checkRecord(must, violated([exchangeOf(body)], 'nextCursor "item-99", data[42].text'), 1, options);
  const outcome = record.exchanges[0]?.outcome;
  const parts = outcome?.kind === 'answered' ? outcome.body.parts : undefined;
  expect(parts?.map(({ path }) => path)).toEqual(['pagination', 'data[42]', 'data[99]']);
  expect(parts?.[0]).toEqual({ path: 'pagination', text: '{"nextCursor":"item-98","hasMore":true}', cut: false });
  expect(JSON.stringify(record)).not.toContain(key);
  const short = checkRecord(must, violated([exchangeOf('{"data":[]}')], 'data[0]'), 1, options).exchanges[0]?.outcome;
  expect(short).not.toHaveProperty('body.parts');
});

describe('the curl line of a message', () => {
  const sent = (header: string): Exchange => {
    const { request, ...rest } = exchangeOf('{}');
    return { ...rest, request: { ...request, headers: { ...request.headers, 'x-key': header } } };
  };
  const fresh = 'awc-07h9iff2xbzn7-1abc-1-2';
  const recorded = (evidence: readonly Exchange[], isRepetition = false) =>
    checkRecord(must, violated(evidence), 1, { ...options, isRepetition: () => isRepetition });

  test('has a new key, because the deployment answers a repeated one with what it stored', () => {
    const { curl, earlierRequests } = recorded([sent(fresh)]);
    expect(curl).toContain('-H "X-Key: awc-curl-$(date');
    expect(curl).not.toContain(fresh);
    expect(earlierRequests).toBeUndefined();
  });

  test.each([
    ['if the run sent the key before', [sent(fresh)], true, 1],
    ['if the key is special', [sent('0')], false, undefined],
  ])('keeps its key %s', (_when, evidence, isRepetition, earlier) => {
    const { curl, earlierRequests } = recorded(evidence, isRepetition);
    expect(curl).not.toContain('$(date');
    expect(earlierRequests).toBe(earlier);
  });

  test('counts the earlier requests without which it does not show the violation', () => {
    const record = recorded([sent('0'), sent('0'), sent(fresh)]);
    expect(record.earlierRequests).toBe(2);
    expect(Object.fromEntries(findingParts(record))).toMatchObject({
      note: 'the curl line sends the last request alone; the finding also needs the earlier requests of this check: 2',
    });
  });
});
