import type { Caller, Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { first } from '../shared/values.ts';
import { comparing, comparingOn, upTo } from './key-lookup.ts';

/** Some tokens match the first caller. */
function matchingFirst(isSuch: (token: string) => boolean): Fault['alter'] {
  return (rules) => ({
    callerOfToken: (token: string, callers: ReadonlyMap<string, Caller>, request: Request) =>
      isSuch(token) ? first(callers.values()) : rules.callerOfToken(token, callers, request),
  });
}

/** What is no key finds a caller. */
export const unknownKeyFaults = faultsOf({
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
