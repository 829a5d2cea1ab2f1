import type { Entry } from '../../state/journal.ts';
import type { Altered } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { endless } from '../shared/alterations.ts';
import { withoutParents } from '../shared/idle.ts';

/** Written to disk every so often, in milliseconds. */
const flushMs = 5000;

const assistantIsQuick = { assistant: ['at-once', 'slow-is-quick'] };

/** A restart loses all entries of that kind. A failover does not, because the nodes share them. */
function losing(kind: Entry['kind']): Altered {
  return { restored: (entry, _ageMs, outage) => (outage === 'restart' && entry?.kind === kind ? undefined : entry) };
}

export const durabilityFaults = faultsOf({
  'durability.keys': {
    'keys-in-memory': {
      sentence: 'Messages are stored in the database, but their idempotency keys only in memory.',
      alter: () => ({ restored: (entry) => (entry?.kind === 'message' ? { ...entry, scope: undefined } : entry) }),
    },
    'keys-flushed-seldom': {
      sentence: 'Messages are stored at once, but their idempotency keys only every five seconds.',
      alter: () => ({
        restored: (entry, ageMs) =>
          entry?.kind === 'message' && ageMs < flushMs ? { ...entry, scope: undefined } : entry,
      }),
    },
  },
  'durability.messages': {
    'messages-in-memory': {
      sentence: 'Chats are stored only in memory, which a restart empties.',
      idle: withoutParents,
      alter: () => losing('message'),
    },
    'unanswered-message-lost': {
      sentence: 'A message is stored together with its response, so a crash loses a message that is being answered.',
      idle: { ...withoutParents, ...assistantIsQuick },
      alter: () => ({
        restored: (entry, ageMs) =>
          entry?.kind === 'message' && entry.at + ageMs < entry.message.finishesAt ? undefined : entry,
      }),
    },
  },
  'durability.chats': {
    'generating-for-good': {
      sentence: 'A response that a restart interrupts is never finished, so its chat stays busy forever.',
      idle: assistantIsQuick,
      alter: endless('restart'),
    },
  },
  'durability.deletions': {
    'deletions-in-memory': {
      sentence: 'Deletions are stored only in a cache, so the data sources return when a restart empties it.',
      alter: () => losing('deletion'),
    },
  },
  'durability.attachments': {
    'attachments-in-memory': {
      sentence: 'Attachments are stored only in memory until the invoice is created, so a restart loses them.',
      alter: () => losing('attachment'),
    },
  },
});
