import type { Fault } from '../../variation.ts';

/** Written to disk every so often. */
const flushMs = 5000;

export const durabilityFaults: readonly Fault[] = [
  {
    name: 'keys-in-memory',
    breaks: 'durability.keys',
    sentence: 'Idempotency keys are kept in the memory of the process, their messages in the database.',
    alter: () => ({
      survives: (entry) => (entry.kind === 'message' ? { ...entry, scope: undefined } : entry),
    }),
  },
  {
    name: 'keys-flushed-seldom',
    breaks: 'durability.keys',
    sentence: 'Idempotency keys are written down every five seconds, their messages at once.',
    alter: () => ({
      survives: (entry, ageMs) =>
        entry.kind === 'message' && ageMs < flushMs ? { ...entry, scope: undefined } : entry,
    }),
  },
  {
    name: 'messages-in-memory',
    breaks: 'durability.messages',
    sentence: 'Chats are kept in the memory of the process.',
    idle: { 'message-fields': ['few'], parent: ['never'] },
    alter: () => ({ survives: (entry) => (entry.kind === 'message' ? undefined : entry) }),
  },
  {
    name: 'unanswered-message-lost',
    breaks: 'durability.messages',
    sentence: 'A message is written down when its response is, so that a crash takes the last one with it.',
    idle: { 'message-fields': ['few'], parent: ['never'], assistant: ['at-once', 'slow-is-quick'] },
    alter: () => ({
      survives: (entry, ageMs) =>
        entry.kind === 'message' && entry.at + ageMs < entry.message.finishesAt ? undefined : entry,
    }),
  },
  {
    name: 'generating-for-good',
    breaks: 'durability.chats',
    sentence: 'Nobody ends a response whose process is gone: its chat is busy for good.',
    idle: { assistant: ['at-once', 'slow-is-quick'] },
    alter: () => ({ finishesAfterRestart: () => Number.POSITIVE_INFINITY }),
  },
  {
    name: 'deletions-in-memory',
    breaks: 'durability.deletions',
    sentence: 'Deleted data sources are marked in a cache alone, and are back when it is filled anew.',
    alter: () => ({ survives: (entry) => (entry.kind === 'deletion' ? undefined : entry) }),
  },
  {
    name: 'attachments-in-memory',
    breaks: 'durability.attachments',
    sentence: 'Attachments are kept in the memory of the process until the invoice is made.',
    alter: () => ({ survives: (entry) => (entry.kind === 'attachment' ? undefined : entry) }),
  },
];
