import { expect, test } from 'vitest';
import { choices } from '../choices/choices.ts';
import type { Request } from '../http/request.ts';
import { specification as rules } from './rules.ts';

const request: Request = {
  turn: 1,
  node: 0,
  at: 0,
  timeoutMs: 1000,
  method: 'GET',
  path: '/',
  operation: undefined,
  ids: { organizationId: '', sourceId: '', chatId: '', accountId: '' },
  query: new Map(),
  search: '',
  headers: {},
  body: '',
  left: undefined,
  headerNames: undefined,
  chunks: 0,
  caller: undefined,
};

test.each([
  ['Bearer abc', 'Bearer', 'abc'],
  ['Bearer  abc ', 'Bearer', 'abc'],
  ['Bearer', 'Bearer', ''],
  ['Bearer ', 'Bearer', ''],
  ['', '', ''],
])('The credential %j is scheme %j and token %j', (header, scheme, token) => {
  expect(rules.credential(header, request)).toEqual({ scheme, token });
});

test.each([
  ['1', true],
  ['100', true],
  ['050', true],
  ['0', false],
  ['101', false],
  ['-1', false],
  ['1.5', false],
  ['1e1', false],
  ['', false],
  [' 5', false],
  ['ten', false],
])('limit=%j is in range: %j', (text, inRange) => {
  expect(rules.limitInRange(rules.readLimit(text, request), request)).toBe(inRange);
});

test.each([
  ['1', true],
  ['300', true],
  ['0', false],
  ['301', false],
  ['1.5', false],
  ['+1', false],
])('wait=%j is in range: %j', (text, inRange) => {
  expect(rules.waitInRange(rules.readWait(text, request), request)).toBe(inRange);
});

test.each([
  ['', 0],
  ['a', 1],
  ['é', 1],
  ['e\u0301', 2],
  ['😀', 1],
  ['\ud83d', 1],
  ['\ude00\ud83d', 2],
  ['a😀b😀', 4],
])('%j has %i characters', (text, length) => {
  expect(rules.messageLength(text, request)).toBe(length);
});

test.each([
  [undefined, true],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/merge-patch+json', true],
  ['text/plain', false],
  ['application/jsonp', false],
])('A body of type %j is read: %j', (type, accepted) => {
  expect(rules.mediaTypeAccepted(type, request)).toBe(accepted);
});

test.each([
  [undefined, 4000, 0],
  [2, 4000, 2000],
  [300, 4000, 4000],
  [300, 0, 0],
])('With a wait of %j s and %i ms that remain, a request is held for %i ms', (wait, remainingMs, heldMs) => {
  expect(rules.heldMs(wait, remainingMs, request)).toBe(heldMs);
});

test.each([
  [0, 0, false],
  [50, 50, false],
  [50, 51, true],
])('A page that ends at %i of %i has more: %j', (end, total, hasMore) => {
  expect(rules.hasMore(end, total, 50, request)).toBe(hasMore);
});

test('A window begins with the first request after the last one ended, and counts down to its end', () => {
  const first = rules.rateWindowAt(undefined, 1000, 2000, 2, request);
  const full = rules.rateCounted(rules.rateCounted(first, 1000, request), 1500, request);
  expect(rules.rateExceeded(first, 2, request)).toBe(false);
  expect(rules.rateExceeded(full, 2, request)).toBe(true);
  expect(rules.rateResetMs(full, 1500.5, 2000, 2, request)).toBe(1500);
  expect(rules.rateWindowAt(full, 2999, 2000, 2, request)).toBe(full);
  expect(rules.rateWindowAt(full, 3000, 2000, 2, request)).toEqual({ startedAt: 3000, used: 0, passedAt: [] });
});

test('An account bills its owner and every attached organization once', () => {
  expect(rules.organizationCount('a', [], request)).toBe(1);
  expect(rules.organizationCount('a', ['b', 'b', 'c', 'a'], request)).toBe(3);
});

/** Whether a rule only returns an argument or a constant. */
function isTrivial(rule: (...values: never) => unknown): boolean {
  const text = String(rule);
  const names = /\((.*?)\)/s.exec(text)?.[1]?.split(/[\s,]+/) ?? [];
  const returned = /\{\s*return ([^;]+);\s*\}$/.exec(text)?.[1];
  if (returned === undefined) return false;
  return names.includes(returned) || /^(undefined|true|false|null|'.*'|[\d_.]+|\{\}|\[\])$/.test(returned);
}

test('Every rule is a decision of the specification or of a choice, and no rule exists only for faults', () => {
  const chosen = new Set(
    choices.flatMap(({ values }) => Object.values(values).flatMap(({ alter }) => Object.keys(alter?.(rules) ?? {}))),
  );
  const forFaults = Object.entries(rules).filter(([name, rule]) => isTrivial(rule) && !chosen.has(name));
  expect(forFaults.map(([name]) => name)).toEqual([]);
});
