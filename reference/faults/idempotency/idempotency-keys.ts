import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Fault } from '../../variation.ts';

/** What a key found is shown, in whatever chat it was found from. */
const shownAnywhere: Partial<Rules> = { replayInOtherChat: () => 'original' };

/** What LIKE of SQL says of a text and a pattern. */
function isLike(text: string, pattern: string): boolean {
  if (!/[%_]/.test(pattern)) return text === pattern;
  const source = pattern
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/** Whether it is made of digits, and an integer of 64 bits holds the number. */
function isSmallNumber(key: string): boolean {
  return /^\d+$/.test(key) && BigInt(key) < 2n ** 63n;
}

/** Which keys there are, and whose they are. */
export const idempotencyKeyFaults: readonly Fault[] = [
  {
    name: 'key-at-most-254',
    breaks: 'idempotency.key-maximum',
    sentence: 'A key of 255 characters is refused, a < in place of a <=.',
    alter: () => ({ keyInRange: (length) => length < 255 }),
  },
  {
    name: 'key-at-most-64',
    breaks: 'idempotency.key-maximum',
    sentence: 'A key has at most 64 characters, the width of its column.',
    alter: () => ({ keyInRange: (length) => length <= 64 }),
  },
  {
    name: 'long-key-as-base64',
    breaks: 'idempotency.key-maximum',
    sentence:
      'A key of more than 100 characters is taken for base64, and refused unless its length is a multiple of four.',
    alter: (rules) => ({
      keyInRange: (length, request) => rules.keyInRange(length, request) && (length <= 100 || length % 4 === 0),
    }),
  },
  {
    name: 'key-quoted-badly',
    breaks: 'idempotency.key-maximum',
    sentence: 'The key is written between two apostrophes of the query, which one in the key ends too early.',
    alter: (rules) => ({
      keyInRange: (length, request) =>
        rules.keyInRange(length, request) && request.headers[rules.keyHeader()]?.includes("'") !== true,
    }),
  },
  {
    name: 'key-of-any-length',
    breaks: 'idempotency.key-too-long',
    sentence: 'A key may be of any length.',
    alter: () => ({ keyInRange: () => true }),
  },
  {
    name: 'key-of-256',
    breaks: 'idempotency.key-too-long',
    sentence: 'A key of 256 characters is accepted.',
    alter: () => ({ keyInRange: (length) => length <= 256 }),
  },
  {
    name: 'key-in-lower-case',
    breaks: 'idempotency.opaque',
    sentence: 'Keys are compared without regard to case.',
    alter: () => ({ keyIdentity: (key) => key.toLowerCase() }),
  },
  {
    name: 'key-cut-at-64',
    breaks: 'idempotency.opaque',
    sentence: 'Only the first 64 characters of a key are stored.',
    alter: () => ({ keyIdentity: (key) => key.slice(0, 64) }),
  },
  {
    name: 'key-without-last-character',
    breaks: 'idempotency.opaque',
    sentence: 'The last character of a key is lost.',
    alter: () => ({ keyIdentity: (key) => key.slice(0, -1) || key }),
  },
  {
    name: 'key-without-dashes',
    breaks: 'idempotency.opaque',
    sentence: 'Dashes and underscores of a key are dropped, since it should be a UUID.',
    alter: () => ({ keyIdentity: (key) => key.replaceAll(/[-_]/g, '') || key }),
  },
  {
    name: 'key-without-hyphens',
    breaks: 'idempotency.opaque',
    sentence: 'The hyphens of a key are dropped, as those of a UUID may be.',
    alter: () => ({ keyIdentity: (key) => key.replaceAll('-', '') || key }),
  },
  {
    name: 'key-hashed',
    breaks: 'idempotency.opaque',
    sentence: 'A key is kept as the hash of 32 bits that the language has for texts.',
    alter: () => ({
      keyIdentity: (key) => `${[...key].reduce((hash, one) => (Math.imul(hash, 31) + one.charCodeAt(0)) | 0, 0)}`,
    }),
  },
  {
    name: 'key-as-number',
    breaks: 'idempotency.opaque',
    sentence: 'A key that reads as a number is kept as one, in a column without a type.',
    alter: () => ({ keyIdentity: (key) => (key.trim() === '' || Number.isNaN(Number(key)) ? key : `${Number(key)}`) }),
  },
  {
    name: 'key-equal-as-number',
    breaks: 'idempotency.opaque',
    sentence:
      'Keys are compared by a language to which two numbers in texts are equal, unless an integer cannot hold them.',
    alter: () => ({ keyIdentity: (key) => (isSmallNumber(key) ? `${BigInt(key)}` : key) }),
  },
  {
    name: 'key-without-leading-zeros',
    breaks: 'idempotency.opaque',
    sentence: 'A key of digits loses its leading zeros.',
    alter: () => ({ keyIdentity: (key) => (/^\d+$/.test(key) ? key.replace(/^0+(?=.)/, '') : key) }),
  },
  {
    name: 'key-is-a-pattern',
    breaks: 'idempotency.opaque',
    sentence: 'A key is looked for with LIKE: its % and _ stand for anything.',
    alter: () => {
      const known: string[] = [];
      return {
        keyIdentity: (key) => {
          const found = known.find((stored) => isLike(stored, key));
          if (found === undefined) known.push(key);
          return found ?? key;
        },
      };
    },
  },
  {
    name: 'no-key-is-one-key',
    breaks: 'messages.distinct-ids',
    sentence:
      'A message without a key is stored under the empty one, and the next without a key is taken for its repetition.',
    idle: { 'key-required': ['yes'] },
    alter: () => ({ keyInstead: () => '' }),
  },
  {
    name: 'key-per-caller',
    breaks: 'idempotency.other-chat',
    sentence: 'A key means one thing for a caller, in whatever chat.',
    alter: () => ({ keyScope: (caller, _chatId, key) => `${caller} ${key}`, ...shownAnywhere }),
  },
  {
    name: 'key-per-organization',
    breaks: 'idempotency.other-chat',
    sentence: 'A key means one thing in an organization, in whatever chat.',
    alter: () => ({
      keyScope: (caller, _chatId, key, request) => `${caller} ${request.ids.organizationId} ${key}`,
      ...shownAnywhere,
    }),
  },
  {
    name: 'key-goes-to-the-last-chat',
    breaks: 'idempotency.other-chat',
    sentence:
      'There is one row a key, which its use in another chat overwrites: in the first chat it is a new one then.',
    idle: { 'key-scope': ['caller', 'service'] },
    alter: (rules) => {
      const chatOf = new Map<string, string>();
      const rowOf = (request: Request): string => `${request.caller?.name} ${request.headers[rules.keyHeader()]}`;
      return {
        messageId: (fresh, role, previous, request) => {
          chatOf.set(rowOf(request), request.ids.chatId);
          return rules.messageId(fresh, role, previous, request);
        },
        keyRemembered: (exchange, finished, later, request) =>
          chatOf.get(rowOf(request)) === exchange.chatId && rules.keyRemembered(exchange, finished, later, request),
      };
    },
  },
  {
    name: 'key-global',
    breaks: 'idempotency.other-caller',
    sentence: 'A key means one thing for the whole service.',
    alter: () => ({ keyScope: (_caller, _chatId, key) => key, ...shownAnywhere }),
  },
  {
    name: 'key-before-role',
    breaks: 'idempotency.other-caller',
    sentence: 'The cache of keys stands before the check of roles: who knows a key sees its chat.',
    alter: (rules) => {
      const known = new Set<string>();
      return {
        keyScope: (_caller, chatId, key) => `${chatId} ${key}`,
        keyIdentity: (key, request) => {
          known.add(key);
          return rules.keyIdentity(key, request);
        },
        maySendMessage: (isAdmin, request) =>
          known.has(request.headers[rules.keyHeader()] ?? '') || rules.maySendMessage(isAdmin, request),
      };
    },
  },
];
