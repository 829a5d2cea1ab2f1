import { jsonIn, stringAt } from '../../core/json.ts';
import { reasons } from './assistant.ts';
import type { Choice } from '../variation.ts';

export const idempotencyChoices: readonly Choice[] = [
  {
    axis: 'key-header',
    section: '4.2',
    sentence: 'The name of the idempotency header.',
    default: 'idempotency-key',
    values: {
      'idempotency-key': {},
      'x-idempotency-key': { alter: () => ({ keyHeader: () => 'x-idempotency-key' }) },
      'x-request-id': { alter: () => ({ keyHeader: () => 'x-request-id' }) },
    },
  },
  {
    axis: 'key-required',
    section: '4.2',
    sentence: 'Whether a message requires an idempotency key.',
    default: 'no',
    values: { no: {}, yes: { alter: () => ({ keyRequired: () => true }) } },
    blocks: { yes: { 'messages.distinct-ids': 'No message is accepted without a key.' } },
  },
  {
    axis: 'key-scope',
    section: '4.2',
    sentence: 'The scope in which a key must be unique. A request with a key of another chat in the scope is refused.',
    default: 'caller-and-chat',
    values: {
      'caller-and-chat': {},
      chat: { alter: () => ({ keyScope: (_caller, chatId, key) => `${chatId} ${key}` }) },
      caller: {
        alter: () => ({
          keyScope: (caller, _chatId, key) => `${caller} ${key}`,
          replayInOtherChat: () => 'refuse',
        }),
      },
      service: {
        alter: () => ({ keyScope: (_caller, _chatId, key) => key, replayInOtherChat: () => 'refuse' }),
      },
    },
  },
  {
    axis: 'replay-form',
    section: '4.2',
    sentence: 'Whether a repeated request returns the original answer or the current state.',
    default: 'current',
    values: {
      current: {},
      original: { alter: () => ({ replayForm: () => 'original' }) },
      'original-without-wait': {
        alter: () => ({ replayForm: ({ query }) => (query.has('wait') ? 'current' : 'original') }),
      },
    },
  },
  {
    axis: 'replay-of-other-text',
    section: '4.2',
    sentence: 'The answer to the same key with another message.',
    default: 'original',
    values: {
      original: {},
      '422': { alter: () => ({ replayOfOtherText: () => 'refuse' }) },
      '409': {
        alter: (rules) => ({
          replayOfOtherText: () => 'refuse',
          refusalStatus: (kind, request) => (kind === 'keyReused' ? 409 : rules.refusalStatus(kind, request)),
        }),
      },
      'new-message': {
        alter: (rules) => ({
          keyScope: (caller, chatId, key, request) =>
            `${rules.keyScope(caller, chatId, key, request)} ${stringAt(jsonIn(request.body), 'message')}`,
        }),
      },
    },
  },
  {
    axis: 'key-after-conflict',
    section: '4.2',
    sentence: 'Whether a key can be used again after a 409.',
    default: 'free',
    values: { free: {}, 'used-up': { alter: () => ({ conflictUsesKey: () => true }) } },
    blocks: {
      'used-up': {
        ...reasons(
          'A key that may have been accepted during an outage, and was refused after it, stays refused.',
          'idempotency.no-duplicate/pause',
          'idempotency.no-duplicate/failover',
        ),
        'idempotency.after/refused-before': 'A key that a busy chat refused stays refused.',
      },
    },
  },
];
