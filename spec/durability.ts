import type { Requirement } from './requirement.ts';

/** The specification speaks of no restart: what an answer promised is expected to outlast one, and good sense says so. */
export const durability = [
  {
    id: 'durability.messages',
    section: '4.2',
    level: 'should',
    operations: ['sendMessage'],
    sentence: 'After a restart accepted messages are still there: the next message follows the last one.',
  },
  {
    id: 'durability.keys',
    section: '4.2',
    level: 'should',
    operations: ['sendMessage'],
    sentence: 'After a restart repeating a request with its key returns the original messages.',
  },
  {
    id: 'durability.chats',
    section: '3',
    level: 'should',
    operations: ['sendMessage'],
    sentence: 'After a restart a chat whose response was generating accepts messages again.',
  },
  {
    id: 'durability.deletions',
    section: '4.6',
    level: 'should',
    operations: ['deleteDataSource'],
    sentence: 'After a restart a deleted data source is still gone from the list or marked there.',
  },
  {
    id: 'durability.attachments',
    section: '4.3',
    level: 'should',
    operations: ['attachOrganization'],
    sentence: 'After a restart organizationCount still counts the attached organizations.',
  },
] as const satisfies readonly Requirement[];
