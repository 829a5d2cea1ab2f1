import type { Fault } from '../../variation.ts';
import type { Operation } from '../../../spec/requirement.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';

/** The caller with a key that a comparison takes for equal to the token. */
export function comparing(same: (key: string, token: string) => boolean): Fault['alter'] {
  return () => ({ callerOfToken: (token, callers) => callers.values().find(({ key }) => same(key, token)) });
}

/** One operation takes a token for a key that a comparison of its own finds equal. */
export function comparingOn(operation: Operation, same: (key: string, token: string) => boolean): Fault['alter'] {
  return (rules) => ({
    callerOfToken: (token, callers, request) =>
      rules.callerOfToken(token, callers, request) ??
      (on(operation)(request) ? callers.values().find(({ key }) => same(key, token)) : undefined),
  });
}

/** A key ends at a sign. */
export function upTo(sign: string): Fault['alter'] {
  return () => ({ callerOfToken: (token, callers) => callers.get(token.split(sign, 1)[0] ?? '') });
}

function differences(left: string, right: string): number {
  if (left.length !== right.length) return Number.POSITIVE_INFINITY;
  return [...left].filter((character, index) => character !== right[index]).length;
}

function sumOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);
}

/** How a key is read from the header, and compared. */
export const keyLookupFaults = faultsOf({
  'access.granted': {
    'key-cold-after-idle': {
      sentence:
        'A key is dropped from the cache if it was not used for three seconds, and the request that loads it again is answered 401.',
      alter: (rules) => {
        const usedAt = new Map<string, number>();
        return {
          callerOfToken: (token, callers, request) => {
            const idleMs = request.at - (usedAt.get(token) ?? request.at);
            const found = rules.callerOfToken(token, callers, request);
            if (found !== undefined) usedAt.set(token, request.at);
            return idleMs > 3000 ? undefined : found;
          },
        };
      },
    },
    'wrong-key-hides-its-neighbour': {
      sentence:
        'A wrong key is remembered by its first 12 characters, so the next request with a key that begins like it is answered 401.',
      alter: (rules) => {
        const wrong = new Set<string>();
        return {
          callerOfToken: (token, callers, request) => {
            const found = rules.callerOfToken(token, callers, request);
            const beginning = token.slice(0, 12);
            if (found !== undefined) return wrong.delete(beginning) ? undefined : found;
            wrong.add(beginning);
            return undefined;
          },
        };
      },
    },
  },
  'auth.truncated-key': {
    'key-by-prefix': {
      sentence: 'A key is found with LIKE token%, so its beginning is enough.',
      alter: comparing((key, token) => token.length >= 8 && key.startsWith(token)),
    },
    'deletion-key-one-short': {
      sentence: 'The service that deletes compares a key without the last character of its column, which is too short.',
      alter: comparingOn('deleteDataSource', (key, token) => token === key.slice(0, -1)),
    },
    'key-as-far-as-it-goes': {
      sentence: 'A key is compared as far as the token goes, which may be shorter by up to two characters.',
      alter: comparing((key, token) => token.length >= key.length - 2 && key.startsWith(token)),
    },
    'key-by-first-sixteen': {
      sentence: 'Only the first 16 characters of a key are compared, the length of the old column.',
      alter: comparing((key, token) => key.slice(0, 16) === token.slice(0, 16)),
    },
  },
  'auth.altered-key': {
    'zeros-fill-a-key': {
      sentence: 'Keys are filled up with zeros to the length of their column, so zeros after a key mean nothing.',
      alter: comparing((key, token) => token.startsWith(key) && /^0*$/.test(token.slice(key.length))),
    },
    'key-by-its-sum': {
      sentence: 'Keys are compared by the sum of their characters, which stays the same if two are exchanged.',
      alter: comparing((key, token) => key.length === token.length && sumOf(key) === sumOf(token)),
    },
    'key-by-length-and-beginning': {
      sentence: 'Only the length and the first 14 characters of a key are compared, which are its public part.',
      alter: comparing((key, token) => key.length === token.length && key.slice(0, 14) === token.slice(0, 14)),
    },
    'key-tail-unread': {
      sentence: 'The last four characters of a key are a checksum that is never verified.',
      alter: comparing((key, token) => key.length === token.length && key.slice(0, -4) === token.slice(0, -4)),
    },
    'key-but-for-its-end': {
      sentence: 'The comparison in constant time stops one character before the end of a key.',
      alter: comparing((key, token) => key.length === token.length && key.slice(0, -1) === token.slice(0, -1)),
    },
    'key-nearly-right': {
      sentence: 'The cache of keys returns the nearest entry, even with one wrong character.',
      alter: comparing((key, token) => differences(key, token) <= 1),
    },
    'key-middle-unread': {
      sentence: 'Four characters in the middle of a key name its region, and are not compared.',
      alter: comparing(
        (key, token) =>
          key.length === token.length && key.slice(0, 15) === token.slice(0, 15) && key.slice(19) === token.slice(19),
      ),
    },
    'key-in-any-case': {
      sentence: 'The column of keys is compared without regard to case.',
      alter: comparing((key, token) => key.toLowerCase() === token.toLowerCase()),
    },
    'key-with-a-tail': {
      sentence: 'A key is cut to its length before it is compared, so any text may follow it.',
      alter: comparing((key, token) => token.startsWith(key)),
    },
    'key-with-a-head': {
      sentence: 'A key is found by its end, with LIKE %key, so any text may precede it.',
      alter: comparing((key, token) => token.endsWith(key)),
    },
    'key-prefix-uncompared': {
      sentence: 'The first six characters of a key say its kind, and are cut off before the key is looked up.',
      alter: comparing((key, token) => key.length === token.length && key.slice(6) === token.slice(6)),
    },
    'key-up-to-punctuation': {
      sentence: 'A pattern reads letters, digits and underscores as the key and ignores what follows them.',
      alter: () => ({ callerOfToken: (token, callers) => callers.get(/^\w+/.exec(token)?.[0] ?? '') }),
    },
    'key-up-to-comma': {
      sentence: 'A pattern reads the key up to a comma or a semicolon, as in a list of values.',
      alter: () => ({ callerOfToken: (token, callers) => callers.get(/^[^,;]+/.exec(token)?.[0] ?? '') }),
    },
    'key-up-to-semicolon': {
      sentence: 'A header ends at its first semicolon, as if parameters followed, before the key is read.',
      alter: upTo(';'),
    },
    'key-up-to-colon': {
      sentence: 'A key is split at a colon into a user and a password, and the password is not read.',
      alter: upTo(':'),
    },
    'key-up-to-dot': {
      sentence: 'What follows a dot in a key is a signature, which is not verified.',
      alter: upTo('.'),
    },
  },
});
