import type { Caller, Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import type { Operation } from '../../../spec/requirement.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

/** The caller with a key that a comparison takes for equal to the token. */
function comparing(same: (key: string, token: string) => boolean): Fault['alter'] {
  return () => ({ callerOfToken: (token, callers) => callers.values().find(({ key }) => same(key, token)) });
}

/** Some tokens match the first caller. */
function matchingFirst(isSuch: (token: string) => boolean): Fault['alter'] {
  return (rules) => ({
    callerOfToken: (token: string, callers: ReadonlyMap<string, Caller>, request: Request) =>
      isSuch(token) ? first(callers.values()) : rules.callerOfToken(token, callers, request),
  });
}

/** One operation takes a token for a key that a comparison of its own finds equal. */
function comparingOn(operation: Operation, same: (key: string, token: string) => boolean): Fault['alter'] {
  return (rules) => ({
    callerOfToken: (token, callers, request) =>
      rules.callerOfToken(token, callers, request) ??
      (on(operation)(request) ? callers.values().find(({ key }) => same(key, token)) : undefined),
  });
}

/** A key ends at a sign. */
function upTo(sign: string): Fault['alter'] {
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
  'auth.unknown-key': {
    'name-is-a-key': {
      sentence: 'Keys are looked up among everything that names an account, so the name of a principal is a key.',
      alter: () => ({
        callerOfToken: (token, callers) =>
          callers.get(token) ?? [...callers.values()].find((caller) => caller?.name === token),
      }),
    },
    'organization-is-a-key': {
      sentence: 'The ID of an organization is accepted as the key of one of its admins, for imports of its own.',
      idle: { ids: ['unicode'] }, // No header can have such an ID.
      alter: () => ({
        callerOfToken: (token, callers) =>
          callers.get(token) ?? [...callers.values()].find((caller) => caller?.adminOf.has(token)),
      }),
    },
    'key-in-percent-encoding': {
      sentence: 'Percent escapes in a key are decoded as in a URL.',
      alter: comparing(
        (key, token) =>
          key === token.replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16))),
      ),
    },
    'key-up-to-space': {
      sentence: 'A header is split at its spaces, and its second part is the key, whatever follows.',
      alter: upTo(' '),
    },
    'key-in-base64': {
      sentence: 'A token that is the base64 of a key is decoded, as the user of the scheme Basic.',
      alter: comparing((key, token) => key === token || key === Buffer.from(token, 'base64').toString()),
    },
    'key-without-prefix': {
      sentence: 'The prefix that names the kind of a key is cut off before keys are compared.',
      alter: comparing((key, token) => key === token || key.replace(/^.*_/, '') === token),
    },
    'key-prefix-in-any-case': {
      sentence: 'The prefix of a key is compared without regard to case.',
      alter: comparing(
        (key, token) =>
          key.slice(0, 9).toLowerCase() + key.slice(9) === token.slice(0, 9).toLowerCase() + token.slice(9),
      ),
    },
    'message-key-in-lower-case': {
      sentence: 'The service of the chats looks a key up in an index of keys in lower case.',
      alter: comparingOn('sendMessage', (key, token) => key.toLowerCase() === token),
    },
    'key-in-upper-case': {
      sentence: 'Keys that people type in capitals are found, by an index of keys in upper case.',
      alter: comparing((key, token) => key === token || key.toUpperCase() === token),
    },
    'key-in-quotes': {
      sentence: 'Quotation marks around a key are removed.',
      alter: comparing((key, token) => key === token.replaceAll('"', '')),
    },
    'key-after-two-bearers': {
      sentence: 'Every occurrence of the word Bearer is removed from a header.',
      alter: comparing((key, token) => key === token.replace('Bearer ', '')),
    },
    'key-with-spaces': {
      sentence: 'Spaces are removed from a key, because people copy it with line breaks.',
      alter: comparing((key, token) => key === token.replaceAll(' ', '')),
    },
    'key-by-its-end': {
      sentence: 'A key is found with LIKE %token, so its end is enough.',
      alter: comparing((key, token) => token.length >= 8 && key.endsWith(token)),
    },
    'key-with-a-wildcard': {
      sentence: 'A key is found with LIKE, so _ stands for any character.',
      alter: comparing(
        (key, token) =>
          key.length === token.length &&
          [...token].every((character, place) => character === '_' || character === key[place]),
      ),
    },
    'key-with-dashes-alike': {
      sentence: 'A hyphen and an underscore in a key are the same.',
      alter: comparing((key, token) => key.replaceAll('-', '_') === token.replaceAll('-', '_')),
    },
    'key-with-dots-500': {
      sentence: 'A key with two dots is decoded as a JSON web token. If it is not one, an exception is thrown.',
      alter: () => ({
        status: (status, { headers }) =>
          /^Bearer [^.]+\.[^.]+\.[^.]+$/.test(headers['authorization'] ?? '') ? 500 : status,
      }),
    },
    'key-is-a-pattern-of-sql': {
      sentence: 'A key is found with LIKE, so % matches every key.',
      alter: matchingFirst((token) => token === '%'),
    },
    'key-within-the-query': {
      sentence: 'The key is placed in the SQL query between apostrophes without escaping.',
      alter: matchingFirst((token) => /'or'1'='1$/i.test(token)),
    },
  },
});
