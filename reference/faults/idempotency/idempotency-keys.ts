import { hash } from '../../../core/hash.ts';
import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Altered, Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { keyOf } from '../shared/requests.ts';

/** Of each key only that counts. */
export function identifiedBy(identity: (key: string) => string): Fault['alter'] {
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
export const idempotencyKeyFaults = faultsOf({
  'idempotency.key-maximum': {
    'key-at-most-254': {
      sentence: 'A key of 255 characters is refused: < instead of <=.',
      alter: () => ({ keyAccepted: (key) => key.length < 255 }),
    },
    'key-at-most-64': {
      sentence: 'A key may have at most 64 characters, the width of its database column.',
      alter: () => ({ keyAccepted: (key) => key.length <= 64 }),
    },
    'key-at-least-8': {
      sentence: 'A key needs at least 8 characters.',
      alter: (rules) => ({ keyAccepted: (key, request) => rules.keyAccepted(key, request) && key.length >= 8 }),
    },
    'long-key-as-base64': {
      sentence:
        'A key of more than 100 characters is read as base64 and refused unless its length is a multiple of four.',
      alter: (rules) => ({
        keyAccepted: (key, request) => rules.keyAccepted(key, request) && (key.length <= 100 || key.length % 4 === 0),
      }),
    },
    'key-quoted-badly': {
      sentence: 'The key is placed in the SQL query between apostrophes, so a key with an apostrophe is refused.',
      alter: (rules) => ({
        keyAccepted: (key, request) => rules.keyAccepted(key, request) && !key.includes("'"),
      }),
    },
    'long-key-without-hyphens-refused': {
      sentence: 'A key that is longer than a UUID is refused if it has no hyphen.',
      alter: (rules) => ({
        keyAccepted: (key, request) => rules.keyAccepted(key, request) && (key.length <= 36 || key.includes('-')),
      }),
    },
  },
  'idempotency.key-too-long': {
    'key-of-any-length': {
      sentence: 'A key may have any length.',
      alter: () => ({ keyAccepted: () => true }),
    },
    'key-of-256': {
      sentence: 'A key of 256 characters is accepted.',
      alter: () => ({ keyAccepted: (key) => key.length <= 256 }),
    },
  },
  'idempotency.opaque': {
    'key-in-lower-case': {
      sentence: 'Keys are compared without regard to case.',
      alter: identifiedBy((key) => key.toLowerCase()),
    },
    'key-cut-at-64': {
      sentence: 'Only the first 64 characters of a key are stored.',
      alter: identifiedBy((key) => key.slice(0, 64)),
    },
    'key-without-last-character': {
      sentence: 'The last character of a key is lost.',
      alter: identifiedBy((key) => key.slice(0, -1) || key),
    },
    'key-without-dashes': {
      sentence: 'Hyphens and underscores are removed from a key, because it is expected to be a UUID.',
      alter: identifiedBy((key) => key.replaceAll(/[-_]/g, '') || key),
    },
    'key-without-hyphens': {
      sentence: 'Hyphens are removed from a key, because a UUID may be written without them.',
      alter: identifiedBy((key) => key.replaceAll('-', '') || key),
    },
    'key-hashed': {
      sentence: 'Only a 32-bit hash of a key is stored.',
      alter: identifiedBy(
        (key) => `${[...key].reduce((hash, one) => (Math.imul(hash, 31) + one.charCodeAt(0)) | 0, 0)}`,
      ),
    },
    'key-as-number': {
      sentence: 'A key that can be read as a number is stored as a number.',
      alter: identifiedBy((key) => (key.trim() === '' || Number.isNaN(Number(key)) ? key : `${Number(key)}`)),
    },
    'key-equal-as-number': {
      sentence: 'Keys that are integers are compared as numbers, unless they exceed 64 bits.',
      alter: identifiedBy((key) => (isSmallNumber(key) ? `${BigInt(key)}` : key)),
    },
    'key-without-leading-zeros': {
      sentence: 'A key of digits loses its leading zeros.',
      alter: identifiedBy((key) => (/^\d+$/.test(key) ? key.replace(/^0+(?=.)/, '') : key)),
    },
    'key-is-a-pattern': {
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
  },
  'messages.distinct-ids': {
    'no-key-is-one-key': {
      sentence: 'Messages without a key are stored under an empty key, so the second one is mistaken for a repetition.',
      idle: { 'key-required': ['yes'], 'replay-of-other-text': ['409', '422'] },
      alter: () => ({ key: (key) => key ?? '' }),
    },
    'no-key-same-text-is-one': {
      sentence: 'A message without a key gets a digest of its body as key, so the same text again is a repetition.',
      idle: { 'key-required': ['yes'] },
      alter: () => ({ key: (key, { body }) => key ?? `${hash(body)}` }),
    },
  },
  'idempotency.other-chat': {
    'key-per-caller': {
      sentence: 'A key is unique for a caller, not for a chat.',
      alter: () => scoped((caller, _chatId, key) => `${caller} ${key}`),
    },
    'key-per-organization': {
      sentence: 'A key is unique for an organization, not for a chat.',
      alter: () => scoped((caller, _chatId, key, { ids }) => `${caller} ${ids.organizationId} ${key}`),
    },
    'key-goes-to-the-last-chat': {
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
  },
  'idempotency.other-caller': {
    'key-global': {
      sentence: 'A key is unique for the whole service, not for a caller.',
      alter: () => scoped((_caller, _chatId, key) => key),
    },
    'text-found-by-key': {
      sentence:
        'The text of a message is looked up by its key alone, so the same key in another chat brings the first text.',
      idle: { 'key-scope': ['service'] },
      alter: (rules) => {
        const first = new Map<string, { readonly chatId: string; readonly text: string }>();
        return {
          messageText: (text, request) => {
            const key = keyOf(request, rules);
            if (key === undefined) return text;
            const { chatId } = request.ids;
            const found = first.get(key) ?? { chatId, text };
            first.set(key, found);
            return found.chatId === chatId ? text : found.text;
          },
        };
      },
    },
    'key-before-role': {
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
  },
});
