import { should } from '../requirement.ts';

/** The specification does not mention outages. Good sense expects that what was accepted outlasts them. */
export const durability = [
  should(
    'durability.messages',
    '4.2',
    'sendMessage',
    'After an outage, accepted messages are still there: the next message follows the last one.',
  ),
  should(
    'durability.keys',
    '4.2',
    'sendMessage',
    'After a restart or a failover, repeating a request with its key returns the original messages.',
  ),
  should(
    'durability.chats',
    '3',
    'sendMessage',
    'After an outage, a chat that was generating a response accepts messages again.',
  ),
  should(
    'durability.deletions',
    '4.6',
    'deleteDataSource',
    'After a restart or a failover, a deleted data source is still gone from the list or marked in it.',
  ),
  should(
    'durability.attachments',
    '4.3',
    'attachOrganization',
    'After a restart or a failover, organizationCount still counts the attached organizations.',
  ),
];
