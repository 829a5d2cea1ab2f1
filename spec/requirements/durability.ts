import { should } from '../requirement.ts';

/** The specification does not mention outages. Good sense expects that what was accepted outlasts them. */
export const durability = [
  ...should('4.2', 'sendMessage', {
    'durability.messages': 'After an outage, accepted messages are still there: the next message follows the last one.',
    'durability.keys': 'After a restart or a failover, repeating a request with its key returns the original messages.',
  }),
  ...should('3', 'sendMessage', {
    'durability.chats': 'After an outage, a chat that was generating a response accepts messages again.',
  }),
  ...should('4.6', 'deleteDataSource', {
    'durability.deletions':
      'After a restart or a failover, a deleted data source is still gone from the list or marked in it.',
  }),
  ...should('4.3', 'attachOrganization', {
    'durability.attachments':
      'After a restart or a failover, organizationCount still counts the attached organizations.',
  }),
];
