import type { Caller } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { first } from '../shared/first.ts';

/** The caller one of whose key and the token a comparison takes for equal. */
function callerWhere(callers: ReadonlyMap<string, Caller>, same: (key: string) => boolean): Caller | undefined {
  return callers.values().find(({ key }) => same(key));
}

function differences(left: string, right: string): number {
  if (left.length !== right.length) return Number.POSITIVE_INFINITY;
  return [...left].filter((character, index) => character !== right[index]).length;
}

/** How a key is taken out of the header, and compared. */
export const keyLookupFaults: readonly Fault[] = [
  {
    name: 'key-by-prefix',
    breaks: 'auth.truncated-key',
    sentence: 'A key is found by LIKE token%, so that its beginning is enough.',
    alter: () => ({
      callerOfToken: (token, callers) =>
        token.length < 8 ? undefined : callerWhere(callers, (key) => key.startsWith(token)),
    }),
  },
  {
    name: 'key-by-first-sixteen',
    breaks: 'auth.truncated-key',
    sentence: 'Only the first 16 characters of a key are compared, the length of the old column.',
    alter: () => ({
      callerOfToken: (token, callers) => callerWhere(callers, (key) => key.slice(0, 16) === token.slice(0, 16)),
    }),
  },
  {
    name: 'key-by-length-and-beginning',
    breaks: 'auth.altered-key',
    sentence: 'A key is compared by its length and its first 14 characters, which are its public part.',
    alter: () => ({
      callerOfToken: (token, callers) =>
        callerWhere(callers, (key) => key.length === token.length && key.slice(0, 14) === token.slice(0, 14)),
    }),
  },
  {
    name: 'key-tail-unread',
    breaks: 'auth.altered-key',
    sentence: 'The last four characters of a key are a checksum that nobody looks at.',
    alter: () => ({
      callerOfToken: (token, callers) =>
        callerWhere(callers, (key) => key.length === token.length && key.slice(0, -4) === token.slice(0, -4)),
    }),
  },
  {
    name: 'key-nearly-right',
    breaks: 'auth.altered-key',
    sentence: 'The cache of keys answers for the nearest entry, one wrong character included.',
    alter: () => ({
      callerOfToken: (token, callers) => callerWhere(callers, (key) => differences(key, token) <= 1),
    }),
  },
  {
    name: 'key-with-a-tail',
    breaks: 'auth.altered-key',
    sentence: 'A key is cut to its length before it is compared, so that anything may follow it.',
    alter: () => ({ callerOfToken: (token, callers) => callerWhere(callers, (key) => token.startsWith(key)) }),
  },
  {
    name: 'key-up-to-punctuation',
    breaks: 'auth.altered-key',
    sentence:
      'A pattern takes the key out of the header, letters, digits and underscores, and does not request what follows.',
    alter: () => ({ callerOfToken: (token, callers) => callers.get(/^\w+/.exec(token)?.[0] ?? '') }),
  },
  {
    name: 'key-is-a-pattern-of-sql',
    breaks: 'auth.unknown-key',
    sentence: "A key is looked for with LIKE, so that % is everybody's.",
    alter: (rules) => ({
      callerOfToken: (token, callers, request) =>
        token === '%' ? first(callers.values()) : rules.callerOfToken(token, callers, request),
    }),
  },
  {
    name: 'key-within-the-query',
    breaks: 'auth.unknown-key',
    sentence: 'The key is written between two apostrophes of the query, and may hold apostrophes itself.',
    alter: (rules) => ({
      callerOfToken: (token, callers, request) =>
        /'or'1'='1$/i.test(token) ? first(callers.values()) : rules.callerOfToken(token, callers, request),
    }),
  },
];
