import { expect, test } from 'vitest';
import { acceptedMessagePromises } from '../promises/messages.ts';
import { suites } from './index.ts';

/** What one answer shows, whichever it is. */
const shapes = [
  ...acceptedMessagePromises.map(({ requirement }) => requirement),
  ...['success-status', 'envelope', 'chat-types', 'message-types'].map((name) => `messages.${name}/at-last`),
  ...['envelope', 'meta-types', 'cursor-is-last-id', 'cursor-null', 'limit', 'default-limit'].map(
    (name) => `paging.${name}/at-last`,
  ),
  ...['content-type', 'retry-only-when-limited', 'title-means-limited', 'no-internals'].map((name) => `errors.${name}`),
  ...['record', 'types'].map((name) => `billing.${name}/at-last`),
  ...['record', 'record-types'].map((name) => `delete.${name}/at-last`),
  'models.success-status',
  'models.organization/at-last',
  'models.filter/at-last',
  'robustness.json',
  'sources.no-secret/deleteDataSource/at-last',
  'auth.not-quoted',
];

test('other traffic cannot delay a finished response, make a message fail inside, or change a repetition or the shape of an answer', () => {
  const immune = suites.filter(({ isImmune }) => isImmune).map(({ id }) => id);
  expect(new Set(immune)).toEqual(
    new Set<string>([
      ...shapes,
      'wait.finishes',
      'wait.finishes/repeated',
      'wait.finishes/at-last',
      'wait.finishes/held-twice',
      'wait.finishes/short',
      'idempotency.after/at-last',
      'messages.immediate',
      'messages.immediate/at-last',
      'conflict.ends/without-errors',
      'conflict.no-trace/at-last',
    ]),
  );
});

const thrice = [
  ...['finishes', 'finishes/repeated', 'finishes/held-twice', 'holds', 'ends', 'ends/side-by-side'].map(
    (name) => `wait.${name}`,
  ),
  'messages.immediate',
  'messages.immediate/repeated',
  ...['has-more', 'any-id-is-cursor', 'walk', 'same-records'].flatMap((name) => [
    `paging.${name}/listModels`,
    `paging.${name}/listDataSources`,
  ]),
  'paging.has-more/listModels/filtered',
  'paging.walk/listModels/filtered',
];

const twice = [
  'auth.no-effect/sendMessage',
  'message.refused-no-trace',
  'message.refused-no-trace/of-strangers',
  'wait.holds/long',
  'idempotency.no-duplicate',
  'idempotency.no-duplicate/lost-answer',
  'conflict.refused/lost-answer',
  'conflict.no-trace',
  'conflict.no-trace/prolonged',
  'idempotency.while-generating/held',
];

test('a check is tried again where a slow network or another client could look like a violation', () => {
  const triedOf = (count: number) => suites.filter(({ tries }) => tries === count).map(({ id }) => id);
  expect(new Set(triedOf(3))).toEqual(new Set(thrice));
  expect(new Set(triedOf(2))).toEqual(new Set(twice));
  expect(suites.filter(({ tries }) => ![1, 2, 3].includes(tries))).toEqual([]);
});

test('a check that sends messages and runs with others, runs with those that send messages', () => {
  const wrong = suites.filter(({ phase, uses }) => phase === 'together' && uses.includes('messages'));
  expect(wrong.map(({ id }) => id)).toEqual([]);
  const idle = suites.filter(({ phase, uses }) => phase === 'messages' && !uses.includes('messages'));
  expect(idle.map(({ id }) => id)).toEqual([]);
});
