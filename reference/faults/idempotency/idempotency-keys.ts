import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Altered, Fault } from '../../variation.ts';
import { keyOf } from '../shared/requests.ts';

/** Of each key only that counts. */
function identifiedBy(identity: (key: string) => string): Fault['alter'] {
  return () => ({ key: (key) => (key === undefined ? undefined : identity(key)) });
}

/** A key means one message in a scope that spans chats, and is answered in each. */
function scoped(keyScope: Rules['keyScope']): Altered {
  return { keyScope, replayInOtherChat: () => 'original' };
}

/** Whether a text matches a pattern of LIKE in SQL. */
function isLike(text: string, pattern: string): boolean {
  if (!/[%_]/.test(pattern)) return text === pattern;
  const source = pattern
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/** Whether a key consists of digits, and its number fits in a signed integer of 64 bits. */
function isSmallNumber(key: string): boolean {
  return /^\d+$/.test(key) && BigInt(key) < 2n ** 63n;
}

/** Which keys are accepted, which count as the same, and in which scope. */
export const idempotencyKeyFaults: readonly Fault[] = [
  {
    name: 'key-at-most-254',
    breaks: 'idempotency.key-maximum',
    sentence: 'A key of 255 characters is refused: < instead of <=.',
    alter: () => ({ keyAccepted: (key) => key.length < 255 }),
  },
  {
    name: 'key-at-most-64',
    breaks: 'idempotency.key-maximum',
    sentence: 'A key may have at most 64 characters, the width of its database column.',
    alter: () => ({ keyAccepted: (key) => key.length <= 64 }),
  },
  {
    name: 'long-key-as-base64',
    breaks: 'idempotency.key-maximum',
    sentence:
      'A key of more than 100 characters is read as base64 and refused unless its length is a multiple of four.',
    alter: (rules) => ({
      keyAccepted: (key, request) => rules.keyAccepted(key, request) && (key.length <= 100 || key.length % 4 === 0),
    }),
  },
  {
    name: 'key-quoted-badly',
    breaks: 'idempotency.key-maximum',
    sentence: 'The key is placed in the SQL query between apostrophes, so a key with an apostrophe is refused.',
    alter: (rules) => ({
      keyAccepted: (key, request) => rules.keyAccepted(key, request) && !key.includes("'"),
    }),
  },
  {
    name: 'key-of-any-length',
    breaks: 'idempotency.key-too-long',
    sentence: 'A key may have any length.',
    alter: () => ({ keyAccepted: () => true }),
  },
  {
    name: 'key-of-256',
    breaks: 'idempotency.key-too-long',
    sentence: 'A key of 256 characters is accepted.',
    alter: () => ({ keyAccepted: (key) => key.length <= 256 }),
  },
  {
    name: 'key-in-lower-case',
    breaks: 'idempotency.opaque',
    sentence: 'Keys are compared without regard to case.',
    alter: identifiedBy((key) => key.toLowerCase()),
  },
  {
    name: 'key-cut-at-64',
    breaks: 'idempotency.opaque',
    sentence: 'Only the first 64 characters of a key are stored.',
    alter: identifiedBy((key) => key.slice(0, 64)),
  },
  {
    name: 'key-without-last-character',
    breaks: 'idempotency.opaque',
    sentence: 'The last character of a key is lost.',
    alter: identifiedBy((key) => key.slice(0, -1) || key),
  },
  {
    name: 'key-without-dashes',
    breaks: 'idempotency.opaque',
    sentence: 'Hyphens and underscores are removed from a key, because it is expected to be a UUID.',
    alter: identifiedBy((key) => key.replaceAll(/[-_]/g, '') || key),
  },
  {
    name: 'key-without-hyphens',
    breaks: 'idempotency.opaque',
    sentence: 'Hyphens are removed from a key, because a UUID may be written without them.',
    alter: identifiedBy((key) => key.replaceAll('-', '') || key),
  },
  {
    name: 'key-hashed',
    breaks: 'idempotency.opaque',
    sentence: 'Only a 32-bit hash of a key is stored.',
    alter: identifiedBy((key) => `${[...key].reduce((hash, one) => (Math.imul(hash, 31) + one.charCodeAt(0)) | 0, 0)}`),
  },
  {
    name: 'key-as-number',
    breaks: 'idempotency.opaque',
    sentence: 'A key that can be read as a number is stored as a number.',
    alter: identifiedBy((key) => (key.trim() === '' || Number.isNaN(Number(key)) ? key : `${Number(key)}`)),
  },
  {
    name: 'key-equal-as-number',
    breaks: 'idempotency.opaque',
    sentence: 'Keys that are integers are compared as numbers, unless they exceed 64 bits.',
    alter: identifiedBy((key) => (isSmallNumber(key) ? `${BigInt(key)}` : key)),
  },
  {
    name: 'key-without-leading-zeros',
    breaks: 'idempotency.opaque',
    sentence: 'A key of digits loses its leading zeros.',
    alter: identifiedBy((key) => (/^\d+$/.test(key) ? key.replace(/^0+(?=.)/, '') : key)),
  },
  {
    name: 'key-is-a-pattern',
    breaks: 'idempotency.opaque',
    sentence: 'A key is found with LIKE, so % and _ match anything.',
    alter: (rules) => {
      const known: string[] = [];
      return identifiedBy((key) => {
        const found = known.find((stored) => isLike(stored, key));
        if (found === undefined) known.push(key);
        return found ?? key;
      })(rules);
    },
  },
  {
    name: 'no-key-is-one-key',
    breaks: 'messages.distinct-ids',
    sentence: 'Messages without a key are stored under an empty key, so the second one is taken for a repetition.',
    idle: { 'key-required': ['yes'] },
    alter: () => ({ key: (key) => key ?? '' }),
  },
  {
    name: 'key-per-caller',
    breaks: 'idempotency.other-chat',
    sentence: 'A key is unique for a caller, not for a chat.',
    alter: () => scoped((caller, _chatId, key) => `${caller} ${key}`),
  },
  {
    name: 'key-per-organization',
    breaks: 'idempotency.other-chat',
    sentence: 'A key is unique for an organization, not for a chat.',
    alter: () => scoped((caller, _chatId, key, { ids }) => `${caller} ${ids.organizationId} ${key}`),
  },
  {
    name: 'key-goes-to-the-last-chat',
    breaks: 'idempotency.other-chat',
    sentence: 'Using a key in a second chat overwrites its entry, so it counts as new in the first chat.',
    idle: { 'key-scope': ['caller', 'service'] },
    alter: (rules) => {
      const chatOf = new Map<string, string>();
      const rowOf = (request: Request): string => `${request.caller?.name} ${keyOf(request, rules)}`;
      return {
        onAccepted: ({ chatId }, request) => void chatOf.set(rowOf(request), chatId),
        keyKnown: (isKnown, request, { chatId }) => isKnown && chatOf.get(rowOf(request)) === chatId,
      };
    },
  },
  {
    name: 'key-global',
    breaks: 'idempotency.other-caller',
    sentence: 'A key is unique for the whole service, not for a caller.',
    alter: () => scoped((_caller, _chatId, key) => key),
  },
  {
    name: 'key-before-role',
    breaks: 'idempotency.other-caller',
    sentence: 'The cache of keys is consulted before the role, so a caller who knows a key can read its chat.',
    alter: (rules) => {
      const known = new Set<string | undefined>();
      return {
        keyScope: (_caller, chatId, key) => `${chatId} ${key}`,
        key: (key) => {
          if (key !== undefined) known.add(key);
          return key;
        },
        allowed: (roles, request) =>
          (request.operation === 'sendMessage' && known.has(keyOf(request, rules))) || rules.allowed(roles, request),
      };
    },
  },
];
